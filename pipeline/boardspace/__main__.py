"""``python -m boardspace``"""

from boardspace.cli.start import main

if __name__ == "__main__":
    main()
