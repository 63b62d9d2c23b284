//! SIGKILL at random points of everything that writes.
