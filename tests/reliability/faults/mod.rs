//! Every operation of the service with every fault of a network and a server.
