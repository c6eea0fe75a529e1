#!/usr/bin/env python3
"""What checking a proof costs beside finding it: `checks.py THREADER SECONDS PROGRAM..`.

Each program is proved without --rule, its certificate is checked by `threader check`, and both are timed as whole processes. What is
not proved within the limit has no certificate and no line. Fails if a check takes more than ten times its proof.
"""

import os
import subprocess
import sys
import tempfile
import time

MOST = 10.0


def timed(arguments):
    begun = time.monotonic()
    done = subprocess.run(arguments, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    return done.stdout.decode().strip(), time.monotonic() - begun


def main(threader, seconds, programs):
    worst, refused = 0.0, []
    print("%-44s %9s %9s %7s" % ("program", "proof s", "check s", "ratio"))
    with tempfile.TemporaryDirectory() as directory:
        certificate = os.path.join(directory, "certificate")
        for program in programs:
            found, proof = timed([threader, "prove", program, "--timeout", seconds, "--certificate", certificate])
            if found != "Result: true" or not os.path.isfile(certificate):
                continue
            # A check that takes longer than it may is ended, and shown with the limit.
            limit = str(max(MOST * proof, 1.0) + 1)
            checked, check = timed([threader, "check", program, certificate, "--timeout", limit])
            os.remove(certificate)
            ratio = check / proof
            worst = max(worst, ratio)
            refused += [program] if checked != "Result: true" or ratio > MOST else []
            print("%-44s %9.2f %9.2f %7.1f" % (program, proof, check, ratio), flush=True)
    print("the greatest ratio is %.1f" % worst)
    for program in refused:
        print("%s: its proof is not checked within %d times its time" % (program, MOST), file=sys.stderr)
    return 1 if refused else 0


if __name__ == "__main__":
    if len(sys.argv) < 4:
        sys.exit(__doc__)
    sys.exit(main(sys.argv[1], sys.argv[2], sys.argv[3:]))
