"""Files elsewhere, as users see them: a command and its whole output."""

import gzip
import json
import os
import pathlib
import signal
import subprocess
import tempfile
import time
import unittest

import boto3
from moto.server import ThreadedMotoServer

from servers import Web

DEDUP = os.environ["DEDUP"]


def words(number, count=12):
    return " ".join(f"w{number}x{at}" for at in range(count))


def records(start, end, padding=0):
    """Records, of which every fifth is a copy."""
    numbers = [(n, n - 4 if n % 5 == 4 else n) for n in range(start, end)]
    return "".join(json.dumps({"id": f"d{n}", "text": words(of), "more": "é" * padding}) + "\n" for n, of in numbers)


class Case(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.temp = self.folder / "temp"
        self.temp.mkdir()
        self.environment = {"PATH": "", "TMPDIR": str(self.temp)}

    def command(self, line):
        return [DEDUP, *line.split()]

    def run_it(self, line, code=(0,)):
        done = subprocess.run(self.command(line), cwd=self.folder, env=self.environment, capture_output=True,
                              text=True, timeout=120)
        self.assertIn(done.returncode, code, f"{line}\n{done.stdout}\n{done.stderr}")
        self.assertEqual([path.name for path in self.temp.iterdir()], [], "nothing is left")
        return done

    def refused(self, line, expected):
        said = self.run_it(line, [2]).stderr
        self.assertIn(expected, said)
        return said

    def write(self, name, content):
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else content.encode())

    def text(self, name):
        return (self.folder / name).read_text()

    def alike(self, line, local, remote, name="in"):
        """Runs a command on the same files here and elsewhere."""
        here = self.run_it(line.replace("INPUT", local), [0, 1]).stdout
        there = self.run_it(line.replace("INPUT", remote), [0, 1]).stdout
        def plain(text):
            kept = [json.loads(line) for line in text.splitlines()]
            for found in kept:
                found.pop("file_bytes", None), found.pop("file_modified", None)
                for member in found.get("members", []):
                    member.pop("file_bytes", None), member.pop("file_modified", None)
            return json.dumps(kept)
        self.assertEqual(plain(here), plain(there).replace(remote.rstrip("/"), local.rstrip("/")))


class WebTest(Case):
    def setUp(self):
        super().setUp()
        self.web = Web()
        self.data = records(0, 3000, 200).encode()
        self.web.files["/a.jsonl"] = self.data
        self.web.files["/a.jsonl.gz"] = gzip.compress(self.data)
        self.url = self.web.address + "/a.jsonl"
        self.write("a.jsonl", self.data)

    def clean(self, url, name="out.jsonl"):
        self.run_it(f"clean -q --id-field id {url} -o {name} --force")
        self.run_it("clean -q --id-field id a.jsonl -o here.jsonl --force")
        self.assertEqual(self.text(name), self.text("here.jsonl"))

    def test_files_are_read_as_on_disk(self):
        self.alike("find -q --id-field id --format jsonl INPUT", "a.jsonl", self.url)
        self.clean(self.url)
        self.clean(self.url + ".gz")
        self.clean(self.url + ".gz?signature=abc.csv")

    def test_a_broken_connection_is_resumed(self):
        self.web.breaks["/a.jsonl"] = [1, 100_000, 0, 0, 333_333, 5]
        self.clean(self.url)
        ranges = [headers.get("range") for _, _, headers in self.web.requests]
        self.assertIn("bytes=100001-", ranges)
        tags = {headers.get("if-match") for _, _, headers in self.web.requests if headers.get("range")}
        self.assertEqual(len(tags), 1)
        self.assertNotIn(None, tags)

    def test_without_parts_what_was_read_is_passed_over(self):
        self.web.without_parts.add("/a.jsonl")
        self.web.breaks["/a.jsonl"] = [100_000, 50_000, 200_000]
        self.clean(self.url)

    def test_without_sizes_and_tags(self):
        self.web.without_sizes.add("/a.jsonl")
        self.web.without_tags.add("/a.jsonl")
        self.web.breaks["/a.jsonl"] = [100_000]
        self.clean(self.url)

    def test_the_end_of_a_file_of_unknown_size(self):
        # The connection breaks behind the last byte.
        self.web.without_sizes.add("/a.jsonl")
        self.web.breaks["/a.jsonl"] = [len(self.data), 100_000, len(self.data) - 100_000]
        self.clean(self.url)
        self.web.without_tags.add("/a.jsonl")
        self.web.breaks["/a.jsonl"] = [len(self.data)]
        self.clean(self.url)
        # It is shorter now.
        self.web.files["/b.jsonl"], self.web.breaks["/b.jsonl"] = self.data, [len(self.data)]
        self.web.without_sizes.add("/b.jsonl"), self.web.without_tags.add("/b.jsonl")
        self.web.changes["/b.jsonl"] = (1, self.data[:-1000])
        self.refused(f"find --id-field id {self.web.address}/b.jsonl", "has changed while it was read")

    def test_archives_with_a_query(self):
        import io, tarfile
        packed = io.BytesIO()
        with tarfile.open(fileobj=packed, mode="w:gz") as archive:
            for name in ("a.txt", "b.txt"):
                member = tarfile.TarInfo(name)
                member.size = len(words(1))
                archive.addfile(member, io.BytesIO(words(1).encode()))
        mail = "From me@example.org Wed May  1 12:30:00 2024\nFrom: a@b.org\nSubject: x\n\n" + words(1) + "\n\n"
        for name, content in [("all.tgz", packed.getvalue()), ("all.tar.gz", packed.getvalue()),
                              ("all.mbox.gz", gzip.compress(2 * mail.encode()))]:
            self.web.files["/" + name] = content
            for query in ("", "?sig=a/b.c&d=x.csv"):
                said = self.run_it(f"find -q --all --format jsonl {self.web.address}/{name}{query}").stdout
                # Both are one text.
                [cluster] = map(json.loads, said.splitlines())
                self.assertEqual(len(cluster["members"]), 1, said)
                self.assertIn(f"/{name}{query}/", cluster["survivor"])

    def test_members_of_archives_with_a_query(self):
        import io, tarfile

        def packed(members):
            out = io.BytesIO()
            with tarfile.open(fileobj=out, mode="w:gz") as archive:
                for name, content in members:
                    member = tarfile.TarInfo(name)
                    member.size = len(content)
                    archive.addfile(member, io.BytesIO(content))
            return out.getvalue()

        table = b"id,text\n" + "".join(f"{number},{words(number)}\n" for number in (1, 2, 1)).encode()
        inner = packed([("a.txt", words(3).encode()), ("b.txt", words(3).encode())])
        self.web.files["/all.tgz"] = packed([("table.csv", table), ("inner.tar.gz", inner)])
        for query in ("", "?sig=a/b.c&d=x"):
            said = self.run_it(f"find -q --all --format jsonl {self.web.address}/all.tgz{query}").stdout
            # Two rows of the table, two texts of the inner archive, and another row.
            self.assertEqual(sorted(len(json.loads(line)["members"]) for line in said.splitlines()), [0, 1, 1], said)

    def test_lists_are_tried_again(self):
        root = "/datasets/me/set/resolve/main/"
        for name in ("data/a.jsonl", "data/b.jsonl", "data/c.jsonl"):
            self.web.files[root + name] = records(0, 40).encode()
            self.write("set/" + name, records(0, 40))
        self.environment["HF_ENDPOINT"] = self.web.address
        self.web.statuses["/api/datasets/me/set/tree/main/data"] = [503, 408, 429]
        self.web.statuses["/datasets/me/set/resolve/main/data"] = [408, 500]
        self.alike("find -q --format jsonl --all INPUT", "set/data", "hf://datasets/me/set/data")
        self.web.statuses["/datasets/me/set/resolve/main/data"] = [503] * 10
        self.refused("find hf://datasets/me/set/data", "the server answers 503 Service Unavailable, 6 times in a row; retry later")

    def test_s3_long_transfers_are_not_cut(self):
        # More than the half minute that the client would allow.
        self.environment |= {"AWS_ENDPOINT_URL": self.web.address, "AWS_ALLOW_HTTP": "true", "AWS_ACCESS_KEY_ID": "a",
                             "AWS_SECRET_ACCESS_KEY": "b", "AWS_REGION": "us-east-1"}
        self.web.files["/bucket/in.jsonl"] = self.data
        self.web.pauses = {"/bucket/in.jsonl": [3.2], "/bucket/out.jsonl": [3.2]}
        began = time.monotonic()
        self.run_it("clean -q --id-field id s3://bucket/in.jsonl -o s3://bucket/out.jsonl")
        self.assertGreater(time.monotonic() - began, 60)
        self.run_it("clean -q --id-field id a.jsonl -o here.jsonl")
        self.assertEqual(self.web.files["/bucket/out.jsonl"], (self.folder / "here.jsonl").read_bytes())
        transfers = [seen[:2] for seen in self.web.requests if seen[0] == "PUT" or seen[:2] == ("GET", "/bucket/in.jsonl")]
        sent = [("PUT", "/bucket/" + name) for name in ("out.jsonl.removed.jsonl", "out.jsonl")]
        self.assertEqual([seen for seen in transfers if "review" not in seen[1]], [("GET", "/bucket/in.jsonl")] * 2 + sent)
        # What the environment says holds.
        for limit in ("AWS_TIMEOUT", "AWS_READ_TIMEOUT"):
            self.web.requests.clear()
            self.web.pauses = {"/bucket/in.jsonl": [0.9 if limit == "AWS_TIMEOUT" else 1.5]}
            self.environment[limit] = "1 second"
            self.run_it("find -q s3://bucket/in.jsonl", [0, 1])
            self.assertGreater(len([seen for seen in self.web.requests if seen[0] == "GET"]), 1, limit)
            del self.environment[limit]

    def test_passing_errors_are_tried_again(self):
        self.web.statuses["/a.jsonl"] = [503, 429, 500]
        self.clean(self.url)

    def test_lasting_errors_are_told(self):
        self.web.statuses["/a.jsonl"] = [503] * 100
        self.refused(f"find {self.url}", f"{self.url}: cannot be read: the server answers 503 Service Unavailable, 6 times in a row")
        self.refused(f"find {self.web.address}/none.jsonl", "/none.jsonl: cannot be read: the server has no such file (404 Not Found)")
        self.web.statuses["/b.jsonl"] = [403] * 100
        self.refused(f"find {self.web.address}/b.jsonl", "/b.jsonl: cannot be read: the server denies access (403 Forbidden)")
        self.refused(f"find {self.web.address}/folder/", "a server of the web lists no files; name each file")
        self.refused("find http://127.0.0.1:9/a.jsonl", "http://127.0.0.1:9/a.jsonl: cannot be read: no connection to the server")
        self.refused(f"find {self.url.replace('//', '//me:secret@')}", "has a password in it")
        self.web.breaks["/a.jsonl"], self.web.statuses = [200_000] + [0] * 100, {}
        self.refused(f"find {self.url}", "the records before the error were read")

    def test_a_changed_file_is_no_output(self):
        # Between the first reading and the second.
        self.web.changes["/a.jsonl"] = (1, records(5000, 5100).encode())
        self.refused(f"clean --id-field id {self.url} -o out.jsonl", f"{self.url}: changed while being read; nothing was written")
        self.assertFalse((self.folder / "out.jsonl").exists())
        # In the middle of a reading.
        self.web.files["/b.jsonl"], self.web.breaks["/b.jsonl"] = self.data, [100_000]
        self.web.changes["/b.jsonl"] = (1, self.data.replace(b"w7x", b"w8x"))
        self.refused(f"find --id-field id {self.web.address}/b.jsonl", "has changed while it was read; retry when nothing writes to it")

    def test_columns_and_documents(self):
        self.write("rows.jsonl", records(0, 500))
        self.run_it("clean -q --id-field id rows.jsonl -o rows.parquet")
        for name, content in [("rows.parquet", (self.folder / "rows.parquet").read_bytes()),
                              ("long.txt", " ".join(words(n) for n in range(20_000)).encode())]:
            self.web.files["/" + name] = content
            self.write(name, content)
        url = self.web.address
        self.alike("find -q --id-field id --all --format jsonl INPUT", "rows.parquet", f"{url}/rows.parquet")
        self.run_it(f"find -q {url}/long.txt long.txt")
        self.refused(f"find --max-document 1M {url}/long.txt", "is longer than 1048576 bytes")
        # Archives are held in memory.
        import io, zipfile
        packed = io.BytesIO()
        with zipfile.ZipFile(packed, "w") as archive:
            archive.writestr("a.txt", words(1))
            archive.writestr("b.txt", words(1))
        self.web.files["/both.zip"] = packed.getvalue()
        self.assertIn(f"{url}/both.zip/b.txt", self.run_it(f"find -q {url}/both.zip").stdout)

    def test_bundles_are_held_and_bounded(self):
        mail = "From: a@b.org\r\nTo: c@d.org\r\nDate: Wed, 1 May 2024 12:30:00 +0200\r\nSubject: x\r\n\r\n" + words(1)
        self.web.files["/mail.eml"] = mail.encode()
        self.write("mail.eml", mail)
        self.alike("find -q --all --format jsonl INPUT", "mail.eml", self.web.address + "/mail.eml")
        # Records may be larger than a document.
        self.run_it(f"find -q --max-document 1M {self.url}", [1, 0])
        self.web.files["/all.zip"] = b"PK\x03\x04" + b"x" * (2 << 20)
        self.refused(f"find --max-document 1M {self.web.address}/all.zip", "is an archive or a mailbox that is larger than a document may be")

    def test_stopping_ends_a_wait(self):
        self.web.statuses["/a.jsonl"] = [503] * 100
        run = subprocess.Popen(self.command(f"clean {self.url} -o out.jsonl"), cwd=self.folder, env=self.environment,
                               stderr=subprocess.PIPE, text=True)
        while not self.web.requests:
            time.sleep(0.01)
        run.send_signal(signal.SIGINT)
        began = time.monotonic()
        said = run.communicate(timeout=30)[1]
        self.assertLess(time.monotonic() - began, 2)
        self.assertIn("stopped; nothing was written", said)
        self.assertEqual(run.returncode, 2)

    def test_data_sets(self):
        root = "/datasets/me/set/resolve/main/"
        for name, content in [("data/a.jsonl", records(0, 40)), ("data/deep/b.jsonl", records(40, 80)),
                              ("data/c.txt", words(7)), ("README.md", words(8)), ("data/.hidden.jsonl", records(3, 5)),
                              ("data/_SUCCESS", "")]:
            self.web.files[root + name] = content.encode()
            self.write("set/" + name, content)
        self.web.files["/datasets/me/set/resolve/refs/x"] = b""
        self.environment["HF_ENDPOINT"] = self.web.address
        self.web.token, self.environment["HF_TOKEN"] = "abc", "abc"
        self.alike("find -q --format jsonl --all INPUT", "set/", "hf://datasets/me/set/")
        self.alike("find -q --format jsonl --all --glob *.jsonl INPUT", "set/data", "hf://datasets/me/set/data")
        self.alike("find -q --format jsonl INPUT", "set/data/a.jsonl", "hf://datasets/me/set/data/a.jsonl")
        self.refused("find hf://datasets/me/set/none.jsonl", "hf://datasets/me/set/none.jsonl: cannot be read: the server has no such file")
        self.environment["HF_TOKEN"] = "wrong"
        self.refused("find hf://datasets/me/set/data/a.jsonl", "(401 Unauthorized); set HF_TOKEN to a token that may read it")
        self.refused("find hf://me/set", "it has the form hf://datasets/OWNER/NAME/PATH")


class StoreTest(Case):
    @classmethod
    def setUpClass(cls):
        cls.server = ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
        cls.server.start()
        cls.endpoint = "http://{}:{}".format(*cls.server.get_host_and_port())
        cls.client = boto3.client("s3", endpoint_url=cls.endpoint, region_name="us-east-1", aws_access_key_id="a",
                                  aws_secret_access_key="b")

    @classmethod
    def tearDownClass(cls):
        cls.server.stop()

    def setUp(self):
        super().setUp()
        self.bucket = "bucket-" + self.id().split("_", 2)[-1].replace("_", "-").lower()[:40]
        self.client.create_bucket(Bucket=self.bucket)
        self.environment |= {"AWS_ENDPOINT_URL": self.endpoint, "AWS_ALLOW_HTTP": "true", "AWS_ACCESS_KEY_ID": "a",
                             "AWS_SECRET_ACCESS_KEY": "b", "AWS_REGION": "us-east-1"}
        self.url = f"s3://{self.bucket}"

    def put(self, key, content):
        content = content.encode() if isinstance(content, str) else content
        self.client.put_object(Bucket=self.bucket, Key=key, Body=content)
        self.write("here/" + key, content)

    def keys(self):
        return [found["Key"] for found in self.client.list_objects_v2(Bucket=self.bucket).get("Contents", [])]

    def get(self, key):
        return self.client.get_object(Bucket=self.bucket, Key=key)["Body"].read()

    def uploads(self):
        return self.client.list_multipart_uploads(Bucket=self.bucket).get("Uploads", [])

    def corpus(self):
        for key, content in [("in/a.jsonl", records(0, 300)), ("in/b-c/d.jsonl.gz", gzip.compress(records(300, 600).encode())),
                             ("in/b/x.jsonl", records(600, 700)), ("in/.hidden.jsonl", "{"), ("in/_SUCCESS", ""),
                             ("in/with space & %25 #.jsonl", records(700, 710)), ("other.jsonl", records(0, 50))]:
            self.put(key, content)
        for marker in ("in/", "in/b/", "in/none/", "in/none/old_$folder$"):
            self.client.put_object(Bucket=self.bucket, Key=marker, Body=b"")

    def test_s3_a_prefix_is_a_folder(self):
        self.corpus()
        for line in ["find -q --format jsonl --all INPUT", "find -q --format jsonl --all --glob !*.gz INPUT"]:
            self.alike(line, "here/in", self.url + "/in")
            self.alike(line, "here/in", self.url + "/in/")
        self.alike("find -q --format jsonl --all INPUT", "here/in/a.jsonl", self.url + "/in/a.jsonl")
        self.alike("find -q --format jsonl --all INPUT", "here", self.url)
        self.run_it(f"fingerprint -q {self.url}/in --id-field id -o x.fp")
        self.run_it("fingerprint -q here/in --id-field id -o y.fp")
        shown = [self.run_it(f"cat {name}").stdout.replace(self.url, "here") for name in ("x.fp", "y.fp")]
        self.assertEqual(*shown)
        self.run_it(f"clean -q {self.url}/in --id-field id -o out")
        self.run_it("clean -q here/in --id-field id -o out2")
        files = [{str(path.relative_to(self.folder / name)): path.read_bytes() for path in (self.folder / name).rglob("*")
                  if path.is_file()} for name in ("out", "out2")]
        self.assertEqual(*files)
        self.write("test.jsonl", records(3, 4))
        self.run_it(f"decontaminate -q {self.url}/in/a.jsonl --against test.jsonl --dry-run")
        self.run_it(f"decontaminate -q here/in/a.jsonl --against {self.url}/other.jsonl --dry-run")
        self.run_it(f"screen -q {self.url}/in/a.jsonl --format jsonl")

    def test_s3_errors_name_the_object(self):
        self.put("a.jsonl", records(0, 10))
        self.refused(f"find {self.url}/none.jsonl", f"{self.url}/none.jsonl: cannot be read: no such object; check the bucket and the key")
        self.refused("find s3://no-such-bucket/a.jsonl", "s3://no-such-bucket/a.jsonl: cannot be read: ")
        self.refused(f"find {self.url}/empty/", f"{self.url}/empty/: holds no file to read")
        self.refused("find s3://", "names no bucket; an address is s3://BUCKET/KEY")
        self.refused(f"find {self.url}/a//b", "is no key of an object")

    def test_s3_columns(self):
        self.write("rows.jsonl", records(0, 500))
        self.run_it("clean -q --id-field id rows.jsonl -o rows.parquet")
        self.put("rows.parquet", (self.folder / "rows.parquet").read_bytes())
        self.alike("find -q --id-field id --all --format jsonl INPUT", "here/rows.parquet", self.url + "/rows.parquet")
        self.run_it(f"clean -q --id-field id {self.url}/rows.parquet -o a.parquet")
        self.run_it("clean -q --id-field id here/rows.parquet -o b.parquet")
        self.assertEqual((self.folder / "a.parquet").read_bytes(), (self.folder / "b.parquet").read_bytes())

    def test_s3_outputs_appear_whole(self):
        self.write("in.jsonl", records(0, 3000, 300))
        self.run_it("clean -q --id-field id in.jsonl -o here.jsonl.zst")
        out = f"clean -q --id-field id in.jsonl -o {self.url}/a/out.jsonl.zst"
        self.run_it(out)
        self.assertEqual(self.get("a/out.jsonl.zst"), (self.folder / "here.jsonl.zst").read_bytes())
        lists = ["a/out.jsonl.zst", "a/out.jsonl.zst.removed.jsonl", "a/out.jsonl.zst.review.jsonl"]
        self.assertEqual(self.keys(), lists)
        self.refused(out, f"{self.url}/a/out.jsonl.zst: already exists; --force replaces it")
        self.run_it(out + " --force")
        said = self.run_it(out.replace("-q ", "") + " --force").stderr
        self.assertIn(f"removed documents are listed in {self.url}/a/out.jsonl.zst.removed.jsonl", said)
        self.assertNotIn(str(self.temp), said)
        long = words(1, 80)
        self.write("near.jsonl", "".join(json.dumps({"text": text}) + "\n" for text in (long, long.replace("x40", "y40"))))
        self.run_it(out.replace("in.jsonl", "near.jsonl").replace("--id-field id ", "") + " --force --report page.html")
        page = self.text("page.html")
        self.assertIn(f"{self.url}/a/out.jsonl.zst.review.jsonl", page)
        self.assertNotIn(str(self.temp), page)
        # A run that fails writes nothing.
        self.write("bad.jsonl", '{"text":"some words","n":null}\n')
        said = self.refused(f"clean bad.jsonl -o {self.url}/bad.csv", "cannot be converted without loss")
        self.assertNotIn(str(self.temp), said)
        self.assertEqual(self.keys(), lists)
        self.refused("clean in.jsonl -o s3://no-such-bucket/out.jsonl", "s3://no-such-bucket/out.jsonl: ")
        self.refused("clean in.jsonl -o https://example.org/out.jsonl", "cannot be written to; objects of s3://, gs:// and az:// can")
        self.refused(f"clean in.jsonl -o {self.url}/", "name a folder or an object in a bucket")
        self.refused(f"clean {self.url}/ -o {self.url}/out", "would be inside the input")

    def test_s3_folders_and_numbered_objects(self):
        self.write("in/a.jsonl", records(0, 300))
        self.write("in/b.jsonl", records(300, 600))
        self.run_it(f"clean -q --id-field id in -o {self.url}/out")
        self.run_it("clean -q --id-field id in -o out")
        for name in ("a.jsonl", "b.jsonl"):
            self.assertEqual(self.get("out/" + name), (self.folder / "out" / name).read_bytes())
        line = f"clean -q --id-field id in -o {self.url}/n/part-*.jsonl --shard-size"
        self.run_it(line + " 4K")
        many = [key for key in self.keys() if key.startswith("n/")]
        self.assertEqual(b"".join(self.get(key) for key in many).decode(), self.text("out/a.jsonl") + self.text("out/b.jsonl"))
        self.refused(line + " 16K", "already exists")
        self.run_it(line + " 16K --force")
        few = [key for key in self.keys() if key.startswith("n/")]
        self.assertTrue(len(few) < len(many), "none of the earlier objects is left")
        self.put("n/notes.txt", "mine")
        self.refused(line + " 4K --force", f"{self.url}/n/notes.txt is there and would stay among the new objects")
        self.assertEqual([key for key in self.keys() if key.startswith("n/part")], few)
        self.run_it(f"clean -q --id-field id in --lines -o {self.url}/cut/part-*.jsonl")
        self.run_it(f"fingerprint -q in --id-field id -o {self.url}/x.fp")
        self.run_it("fingerprint -q in --id-field id -o x.fp")
        self.assertEqual(self.get("x.fp"), (self.folder / "x.fp").read_bytes())
        self.write("test.jsonl", records(3, 4, 20))
        self.run_it(f"decontaminate -q in --against test.jsonl --drop -o {self.url}/rest/part-*.jsonl")
        self.assertIn("rest.items.jsonl", self.keys())
        # Lists are objects too, and inputs are never written over.
        report = f"decontaminate -q in --against test.jsonl -o {self.url}/report"
        self.run_it(report)
        self.refused(report, "its list " + self.url + "/report.documents.jsonl already exists")
        over = f"clean {self.url}/out/a.jsonl {self.url}/out/b.jsonl -o {self.url}/out --force"
        self.refused(over, f"would be written over the input {self.url}/out/a.jsonl")
        before = self.get("out/a.jsonl")
        self.refused(f"clean {self.url}/n/part-00000.jsonl -o {self.url}/n/part-*.jsonl --force", "would be written over")
        self.assertEqual(self.get("out/a.jsonl"), before)

    def test_s3_an_object_of_another_run_is_left_alone(self):
        line = f"fingerprint -q --id-field id - -o {self.url}/out.fp"
        for options in ("", " --force"):
            self.client.delete_object(Bucket=self.bucket, Key="out.fp")
            run = subprocess.Popen(self.command(line + options), cwd=self.folder, env=self.environment,
                                   stdin=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
            while not list(self.temp.iterdir()):
                time.sleep(0.01)
            time.sleep(1)
            self.client.put_object(Bucket=self.bucket, Key="out.fp", Body=b"theirs")
            said = run.communicate(records(0, 3), timeout=60)[1]
            self.assertEqual(run.returncode, 0 if options else 2, said)
            if not options:
                self.assertIn(f"{self.url}/out.fp: has appeared while this ran; nothing was written", said)
                self.assertEqual(self.keys(), ["out.fp"])
            self.assertEqual(self.get("out.fp") == b"theirs", not options)

    def test_s3_a_large_object_is_sent_in_parts_or_not_at_all(self):
        self.write("in.jsonl", "".join(json.dumps({"text": words(n), "more": "x" * 10_000}) + "\n" for n in range(3000)))
        self.run_it(f"clean -q in.jsonl -o {self.url}/out.jsonl")
        self.assertEqual(self.get("out.jsonl"), (self.folder / "in.jsonl").read_bytes())
        self.assertIn("-4", self.client.head_object(Bucket=self.bucket, Key="out.jsonl")["ETag"])
        # Ctrl-C while parts are sent.
        run = subprocess.Popen(self.command(f"clean in.jsonl -o {self.url}/new.jsonl"), cwd=self.folder,
                               env=self.environment, stderr=subprocess.PIPE, text=True)
        while run.poll() is None and not self.uploads():
            time.sleep(0.002)
        run.send_signal(signal.SIGINT)
        said = run.communicate(timeout=60)[1]
        if run.returncode == 2:
            self.assertIn("stopped; nothing was written", said)
            self.assertNotIn("new.jsonl", self.keys())
        else:
            self.assertEqual(run.returncode, 0, said)
        self.assertEqual(self.uploads(), [])
        self.assertEqual(list(self.temp.iterdir()), [])


if __name__ == "__main__":
    unittest.main()
