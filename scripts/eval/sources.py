"""Debian packages and crates, downloaded into the work folder: the same ones on every machine.

Packages come from the archive of one Debian release, by package lists in the work folder. The
system's lists and packages are not changed, and root is not needed. Crates are those of this
project's Cargo.lock, as cargo has them in its registry.
"""
import json
import os
import pathlib
import subprocess
import sys

RELEASE = "bookworm"
ARCHIVE = "http://deb.debian.org/debian"
KEYRING = "/usr/share/keyrings/debian-archive-keyring.gpg"
# Folders of programs and libraries, which are not unpacked.
UNREAD = [f"--exclude=./{folder}" for folder in ("usr/bin", "usr/sbin", "usr/lib", "bin", "sbin", "lib")]


def run(command, **options):
    done = subprocess.run([str(part) for part in command], capture_output=True, text=True, check=False, **options)
    if done.returncode != 0:
        sys.exit(f"{' '.join(map(str, command))} failed: {done.stderr.strip()[-600:]}")
    return done.stdout


class Debian:
    """A release's packages, unpacked under FOLDER/unpacked/PACKAGE."""

    def __init__(self, folder, packages):
        self.folder = folder.resolve()
        self.packages = packages
        self.unpacked = self.folder / "unpacked"
        self.downloaded = self.folder / "downloaded"
        for made in (self.unpacked, self.downloaded, self.folder / "lists/partial", self.folder / "archives/partial"):
            made.mkdir(parents=True, exist_ok=True)
        (self.folder / "sources.list").write_text(f"deb [signed-by={KEYRING}] {ARCHIVE} {RELEASE} main\n")
        (self.folder / "status").touch()

    def apt(self, tool, *arguments):
        settings = {
            "APT::Architecture": "amd64",
            "APT::Architectures": "amd64",
            "APT::Sandbox::User": "root",
            "Acquire::Languages": "en",
            "Acquire::GzipIndexes": "false",
            "Acquire::IndexTargets::deb::DEP-11::DefaultEnabled": "false",
            "Acquire::IndexTargets::deb::DEP-11-icons-small::DefaultEnabled": "false",
            "Dir::State": self.folder,
            "Dir::State::status": self.folder / "status",
            "Dir::Cache": self.folder,
            "Dir::Etc::sourcelist": self.folder / "sources.list",
            "Dir::Etc::sourceparts": "/dev/null",
            "Dir::Etc::preferencesparts": "/dev/null",
        }
        options = [part for key, value in settings.items() for part in ("-o", f"{key}={value}")]
        return run([tool, "-q", *options, *arguments], cwd=self.downloaded)

    def fetch(self):
        """Downloads and unpacks missing packages; returns each package's file."""
        if not any(self.folder.glob("lists/*Translation-en")):
            self.apt("apt-get", "update")
        there = {path.name.split("_")[0] for path in self.downloaded.glob("*.deb")}
        missing = [name for name in self.packages if name not in there]
        if missing:
            self.apt("apt-get", "download", *missing)
        files = sorted(path.name for path in self.downloaded.glob("*.deb") if path.name.split("_")[0] in self.packages)
        for file in files:
            target = self.unpacked / file.split("_")[0]
            if not target.exists():
                # Unpacked under another name until complete.
                part = self.unpacked / f".{target.name}"
                part.mkdir(exist_ok=True)
                with subprocess.Popen(["dpkg-deb", "--fsys-tarfile", self.downloaded / file], stdout=subprocess.PIPE) as tar:
                    run(["tar", "-x", "-C", part, "--no-same-owner", *UNREAD], stdin=tar.stdout)
                part.rename(target)
        return files

    def descriptions(self):
        """Name, synopsis and long description of every package, in the order of the names."""
        (path,) = self.folder.glob("lists/*Translation-en")
        found = {}
        for stanza in path.read_text(encoding="utf-8").split("\n\n"):
            head, separator, rest = stanza.partition("\nDescription-en: ")
            if separator and head.startswith("Package: "):
                name = head.split("\n", 1)[0].removeprefix("Package: ")
                synopsis, _, long = rest.partition("\n")
                paragraphs = "\n".join("" if line == " ." else line[1:] for line in long.rstrip().split("\n"))
                found.setdefault(name, (synopsis, paragraphs))
        return sorted((name, *texts) for name, texts in found.items())


def crates(project):
    """Name, version and folder of every crate that Cargo.lock names, for all systems."""
    command = ["cargo", "metadata", "--locked", "--all-features", "--format-version", "1"]
    packages = json.loads(run(command, cwd=project))["packages"]
    return sorted(
        (package["name"], package["version"], pathlib.Path(os.path.dirname(package["manifest_path"])))
        for package in packages
        if package["source"]
    )
