"""`make bench`: every measurement, each against its yardstick in the same run."""

import fetching
import seam


def main() -> None:
    """Run all of them."""
    fetching.main()
    print()
    seam.main()


if __name__ == "__main__":
    main()
