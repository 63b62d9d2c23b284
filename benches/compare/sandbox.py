"""The service for all measurements: `tulk sandbox serve`, and a TLS proxy to it for tools with a fixed address."""

import glob
import json
import os
import socket
import ssl
import subprocess
import threading
import time
import urllib.request

KEY = "3f1c9a52-0000-4000-8000-c0ffee000001:fx"  # accepted by the sandbox only
HOSTS = ("api.deepl.com", "api-free.deepl.com")


class Sandbox:
    """A new sandbox with its own record of requests. Leaving the `with` block stops it."""

    def __init__(self, tulk, directory, *flags):
        self.record = os.path.join(directory, "requests.jsonl")
        if os.path.exists(self.record):
            os.remove(self.record)
        command = [tulk, "sandbox", "serve", "--ephemeral", "--key", KEY, "--record", self.record, *flags]
        environment = {**os.environ, "HOME": directory}
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, env=environment)
        self.url = self.process.stdout.readline().decode().strip()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.kill()
        self.process.wait()

    def requests(self):
        """Returns the requests that the sandbox has recorded so far."""
        if not os.path.exists(self.record):
            return []
        with open(self.record, encoding="utf-8") as lines:
            return [json.loads(line) for line in lines if line.endswith("\n")]

    def sent(self, path="/v2/translate"):
        """Returns how many requests went to a path."""
        return sum(request["path"] == path for request in self.requests())

    def billed(self):
        """Returns the characters that the sandbox has billed, plus the number of uploaded documents."""
        with urllib.request.urlopen(self.url + "/_sandbox/state") as answer:
            return sum(json.load(answer)["usage"].values())


class Door:
    """A proxy that listens at the public addresses of the service on port 443 and forwards all bytes to a sandbox.

    It is for tools whose address is fixed. It needs the network and mount namespaces of run.py. They have no connection to the outside, so
    no request can reach the real service."""

    def __init__(self, directory, folder):
        self.target = None
        self.certificate = os.path.join(directory, "door.pem")
        key = os.path.join(directory, "door.key")
        names = ",".join(f"DNS:{host}" for host in HOSTS)
        make = ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2"]
        make += ["-subj", "/CN=comparison", "-addext", f"subjectAltName={names}", "-keyout", key, "-out", self.certificate]
        subprocess.run(make, check=True, stderr=subprocess.DEVNULL)
        hosts = os.path.join(directory, "hosts")
        with open(hosts, "w", encoding="ascii") as file:
            file.write("127.0.0.1 localhost " + " ".join(HOSTS) + "\n")
        subprocess.run(["mount", "--bind", hosts, "/etc/hosts"], check=True)
        # The Python client trusts only the certificates of its `certifi` package.
        for bundle in glob.glob(os.path.join(folder, "*/lib/python3*/site-packages/certifi/cacert.pem")):
            subprocess.run(["mount", "--bind", self.certificate, bundle], check=True)
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(self.certificate, key)
        listener = socket.create_server(("127.0.0.1", 443))
        threading.Thread(target=self._accept, args=(listener, context), daemon=True).start()

    def _accept(self, listener, context):
        while True:
            client, _ = listener.accept()
            threading.Thread(target=self._serve, args=(client, context), daemon=True).start()

    def _serve(self, client, context):
        try:
            inside = context.wrap_socket(client, server_side=True)
            host, port = self.target.removeprefix("http://").split(":")
            outside = socket.create_connection((host, int(port)))
        except OSError:
            client.close()
            return
        back = threading.Thread(target=_copy, args=(outside, inside), daemon=True)
        back.start()
        _copy(inside, outside)
        back.join()
        inside.close()
        outside.close()


def _copy(source, target):
    try:
        while data := source.recv(65536):
            target.sendall(data)
        target.shutdown(socket.SHUT_WR)
    except OSError:
        pass


def wait_until(condition, seconds=300):
    """Waits until another process has made a condition true."""
    end = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > end:
            raise TimeoutError("nothing happened")
        time.sleep(0.02)
