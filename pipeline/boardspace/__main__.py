"""``python -m boardspace``"""

from boardspace.cli.main import main

if __name__ == "__main__":
    main()
