"""The engines that must keep the same documents: the program, and a wheel of the Python package."""
import hashlib
import json
import pathlib
import subprocess

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent


def md5_of(ids):
    """The MD5 of ids, whatever their order."""
    return hashlib.md5("".join(f"{id}\n" for id in sorted(ids)).encode()).hexdigest()


def removed_by(clusters):
    """The ids that clusters remove, given as lines of JSON."""
    return {member["id"] for cluster in map(json.loads, clusters) for member in cluster["members"]}


def built_wheel(python, folder):
    """The wheel of the Python package, with the optimisation of a release, built by a Python that has maturin."""
    build = [python, "-m", "maturin", "build", "--quiet", "--locked", "--release", "--auditwheel", "skip"]
    build += ["--interpreter", python, "--manifest-path", ROOT / "python/Cargo.toml", "--out", folder / "wheel"]
    subprocess.run(build, cwd=ROOT, check=True)
    return next((folder / "wheel").glob("*.whl"))
