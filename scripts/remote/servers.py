"""Servers on this machine: one that speaks S3, and one of the web whose connections break."""

import hashlib
import http.server
import json
import re
import socket
import threading
import time
import urllib.parse


def quiet(server):
    """Starts a server in a thread; returns its address."""
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return f"http://127.0.0.1:{server.server_address[1]}"


class Web:
    """Files by path, with the ways in which they are served badly."""

    def __init__(self):
        self.files = {}
        self.requests = []
        # By path: a list of numbers of bytes after which a connection breaks, one for each request.
        self.breaks = {}
        self.without_parts = set()
        self.without_tags = set()
        self.without_sizes = set()
        self.statuses = {}
        # By path: the times between ten parts of a body that is sent or received, one for each request.
        self.pauses = {}
        # By path: what is done after a number of requests.
        self.changes = {}
        self.token = None
        web = self

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def log_message(self, *_):
                pass

            def do_HEAD(self):
                web.serve(self, False)

            def do_GET(self):
                web.serve(self, True)

            def do_PUT(self):
                web.receive(self)

        server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        server.daemon_threads = True
        self.address = quiet(server)

    def serve(self, handler, has_body):
        target = urllib.parse.urlsplit(handler.path)
        path = urllib.parse.unquote(target.path)
        self.requests.append((handler.command, path, {name.lower(): value for name, value in handler.headers.items()}))
        if path in self.changes and sum(seen == path for _, seen, _ in self.requests) > self.changes[path][0]:
            self.files[path] = self.changes[path][1]
        statuses = self.statuses.get(path)
        if statuses:
            return self.fail(handler, statuses.pop(0))
        if self.token and handler.headers.get("Authorization") != f"Bearer {self.token}":
            return self.fail(handler, 401)
        if path.startswith("/api/datasets/"):
            return self.tree(handler, path, target.query)
        if "list-type=2" in target.query:
            return self.answer(handler, b"<ListBucketResult><IsTruncated>false</IsTruncated></ListBucketResult>")
        data = self.files.get(path)
        if data is None:
            return self.fail(handler, 404)
        tag = f'"{hashlib.md5(data).hexdigest()}"'
        if handler.headers.get("If-Match") not in (None, tag):
            return self.fail(handler, 412)
        start, status = 0, 200
        asked = re.fullmatch(r"bytes=(\d+)-", handler.headers.get("Range", ""))
        if asked and path not in self.without_parts:
            start, status = int(asked[1]), 206
            if start >= len(data):
                return self.fail(handler, 416, {"Content-Range": f"bytes */{len(data)}"})
        handler.send_response(status)
        if status == 206:
            handler.send_header("Content-Range", f"bytes {start}-{len(data) - 1}/{len(data)}")
        if path in self.without_sizes:
            handler.send_header("Transfer-Encoding", "chunked")
        else:
            handler.send_header("Content-Length", str(len(data) - start))
        if path not in self.without_tags:
            handler.send_header("ETag", tag)
        handler.send_header("Last-Modified", "Wed, 01 May 2024 12:30:00 GMT")
        handler.end_headers()
        if not has_body:
            return
        body = data[start:]
        breaks = self.breaks.get(path)
        end = breaks.pop(0) if breaks else None
        try:
            if path in self.without_sizes:
                for at in range(0, len(body[:end]), 1000):
                    block = body[:end][at:at + 1000]
                    handler.wfile.write(b"%x\r\n%s\r\n" % (len(block), block))
                if end is None:
                    handler.wfile.write(b"0\r\n\r\n")
            else:
                part = -(-len(body[:end]) // 10) or 1
                pause = self.next_pause(path)
                for at in range(0, len(body[:end]), part):
                    handler.wfile.write(body[:end][at:at + part])
                    handler.wfile.flush()
                    time.sleep(pause)
            handler.wfile.flush()
        except OSError:
            pass
        if end is not None:
            try:
                handler.connection.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass
            handler.close_connection = True

    def next_pause(self, path):
        pauses = self.pauses.get(path)
        return pauses.pop(0) if pauses else 0

    def receive(self, handler):
        """Takes a file, as S3 does."""
        path = urllib.parse.unquote(urllib.parse.urlsplit(handler.path).path)
        self.requests.append((handler.command, path, {}))
        left = int(handler.headers["Content-Length"])
        part, pause, data = -(-left // 10) or 1, self.next_pause(path), b""
        while left > len(data):
            data += handler.rfile.read(min(part, left - len(data)))
            time.sleep(pause)
        self.files[path] = data
        handler.send_response(200)
        handler.send_header("ETag", f'"{hashlib.md5(data).hexdigest()}"')
        handler.send_header("Content-Length", "0")
        handler.end_headers()

    def fail(self, handler, status, headers={}):
        handler.send_response(status)
        for name, value in headers.items():
            handler.send_header(name, value)
        handler.send_header("Content-Length", "0")
        handler.end_headers()

    def answer(self, handler, body):
        handler.send_response(200)
        handler.send_header("Content-Length", str(len(body)))
        handler.end_headers()
        handler.wfile.write(body)

    def tree(self, handler, path, query):
        """A list of a data set, in pages of two."""
        owner, name, revision, inside = re.fullmatch(
            r"/api/datasets/([^/]+)/([^/]+)/tree/([^/]+)/?(.*)", path).groups()
        root = f"/datasets/{owner}/{name}/resolve/{revision}/"
        below = root + (inside + "/" if inside else "")
        found = [{"type": "file", "path": path[len(root):], "size": len(data)}
                 for path, data in sorted(self.files.items()) if path.startswith(below)]
        if not found:
            return self.fail(handler, 404)
        found.insert(0, {"type": "directory", "path": "a folder"})
        start = int(urllib.parse.parse_qs(query).get("cursor", ["0"])[0])
        page = json.dumps(found[start:start + 2]).encode()
        handler.send_response(200)
        if start + 2 < len(found):
            handler.send_header("Link", f'<{self.address}{path}?recursive=true&cursor={start + 2}>; rel="next"')
        handler.send_header("Content-Length", str(len(page)))
        handler.end_headers()
        handler.wfile.write(page)
