"""`make bench`: every measurement, each against its yardstick in the same run."""

import fetching
import memory
import seam
import slow_host


def main() -> None:
    """Run all of them."""
    fetching.main()
    print()
    seam.main()
    print()
    slow_host.main()
    print()
    memory.main()


if __name__ == "__main__":
    main()
