#!/usr/bin/env python3
"""Prints the coverage of each module, or of each file with --files, from an llvm-cov export."""
import json
import sys


def rows(report, root, by_file):
    sums = {}
    for entry in json.load(open(report))["data"][0]["files"]:
        name = entry["filename"]
        if not name.startswith(root + "/Sources/"):
            continue
        parts = name[len(root) + 1 :].split("/")
        key = "/".join(parts[1:]) if by_file else parts[1]
        lines, regions = entry["summary"]["lines"], entry["summary"]["regions"]
        total = sums.setdefault(key, [0, 0, 0, 0])
        for place, count in enumerate(
            (lines["covered"], lines["count"], regions["covered"], regions["count"])
        ):
            total[place] += count
    return sums


def main():
    report, root = sys.argv[1:3]
    sums = rows(report, root, "--files" in sys.argv)
    width = max(len(key) for key in sums)
    print(f"{'module':{width}}  lines  covered  regions")
    for key, (covered, count, hit, regions) in sorted(sums.items()):
        share = 100 * covered / max(1, count)
        print(f"{key:{width}}  {count:5}   {share:5.1f}%   {100 * hit / max(1, regions):5.1f}%")


main()
