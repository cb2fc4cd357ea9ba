"""`make bench`: every measurement, each against its yardstick in the same run."""

import converters
import fetching
import main_content
import mcp_start
import memory
import seam
import slow_host
import worst_cases

import gateway


def main() -> None:
    """Run all of them."""
    fetching.main()
    print()
    seam.main()
    print()
    slow_host.main()
    print()
    memory.main()
    print()
    converters.main()
    print()
    worst_cases.main()
    print()
    main_content.main()
    print()
    mcp_start.main()
    print()
    gateway.main()


if __name__ == "__main__":
    main()
