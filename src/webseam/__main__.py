"""`python -m webseam` is the command `webseam`."""

from webseam.surfaces.cli.main import run

if __name__ == "__main__":
    run()
