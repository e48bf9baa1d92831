"""Pipelines and setlists of any size, for scale.py."""
import json
import os

# The strips of a mixer in `branches` and `mixers`: 4,000 nodes of 16 strips are just below the limit of a file.
STRIPS = 16
QUIET_DECIBELS = -24
EDITED_DECIBELS = -6


def pipeline(nodes, **keys):
    """A pipeline that receives the tone of the partner, and is heard by it."""
    return {
        "version": 1,
        "inputs": {"in": {"connect": ["hands:tone"]}},
        "outputs": {"out": {"from": nodes[-1]["id"], "limiter": False, "connect": ["ears:left"]}},
        "nodes": nodes, **keys,
    }


def gain(identifier, decibels=0, **keys):
    return {"id": identifier, "type": "gain", **keys, "parameters": {"gain": decibels}}


def chain(count):
    """Gains in series."""
    return pipeline([gain(f"n{k}") for k in range(count)])


def branches(count):
    """Gains in parallel, summed by a tree of mixers; the values of the mixers keep the level."""
    leaves = count
    while leaves + tree_size(leaves) > count:
        leaves -= 1
    nodes = [gain(f"n{k}", **{"from": "in"}) for k in range(leaves)]
    level = [node["id"] for node in nodes]
    while len(level) > 1:
        groups = [level[k:k + STRIPS] for k in range(0, len(level), STRIPS)]
        level = []
        for group in groups:
            node = {"id": f"m{len(nodes)}", "type": "mixer", "from": group,
                    "parameters": {f"{name}.gain": QUIET_DECIBELS for name in group}}
            nodes.append(node)
            level.append(node["id"])
    spare = count - len(nodes)
    return pipeline(nodes + [gain(f"s{k}") for k in range(spare)] + [gain("end", 20)])


def tree_size(leaves):
    """The number of mixers that sum a number of leaves, and one node at the end."""
    count = 1
    while leaves > 1:
        leaves = -(-leaves // STRIPS)
        count += leaves
    return count


def mixers(count):
    """The worst case: each node sums the nodes before it, with as many strips as a file may have."""
    nodes = []
    for k in range(count):
        feeds = [f"n{j}" for j in range(max(0, k - STRIPS), k)] or ["in"]
        level = QUIET_DECIBELS if k else 0
        nodes.append({"id": f"n{k}", "type": "mixer", "from": feeds, "parameters": {f"{name}.gain": level for name in feeds}})
    # The newest strip of each mixer passes the tone on without loss.
    for k in range(1, count):
        nodes[k]["parameters"][f"n{k - 1}.gain"] = 0
        for j in range(max(0, k - STRIPS), k - 1):
            nodes[k]["parameters"][f"n{j}.gain"] = -120
    return pipeline(nodes)


def wide(channels=64):
    """One node with many inputs and outputs of JACK."""
    file = pipeline([gain("n0")])
    file["inputs"]["in"]["channels"] = file["outputs"]["out"]["channels"] = channels
    return file


SHAPES = {"chain": chain, "branches": branches, "mixers": mixers}


def edited(file):
    """Returns a file with another value of its last node, its address, and the value's JSON pointer."""
    copy = json.loads(json.dumps(file))
    last = copy["nodes"][-1]
    last["parameters"] = {**last.get("parameters", {}), "gain": last.get("parameters", {}).get("gain", 0) + EDITED_DECIBELS}
    return copy, f"{last['id']}.gain", f"/nodes/{len(copy['nodes']) - 1}/parameters/gain"


def with_node(file):
    """Returns a file with one more node that changes the level: at the end of the path, but at the start of the list, so
    that all other nodes have other numbers than before."""
    copy = json.loads(json.dumps(file))
    first = copy["nodes"][0]
    first.setdefault("from", "in")
    copy["nodes"].insert(0, gain("added", EDITED_DECIBELS, **{"from": copy["nodes"][-1]["id"]}))
    copy["outputs"]["out"]["from"] = "added"
    return copy


def write(path, file):
    """Writes a file as careful programs do: completely, then in the place of the old one."""
    with open(path + ".new", "w", encoding="utf-8") as new:
        json.dump(file, new, indent=2)
    os.replace(path + ".new", path)


def setlist(folder, count, kilobytes=0):
    """Writes a setlist whose songs have different levels, and delays that reserve memory; returns its path."""
    os.makedirs(folder, exist_ok=True)
    songs = []
    for k in range(count):
        nodes = [gain(f"g{j}", QUIET_DECIBELS * (k % 2) if j == 0 else 0) for j in range(8)]
        if kilobytes:
            # 0.19 MB per second and channel at 48 kHz.
            delay = {"id": "echo", "type": "delay", "mix": 0, "settings": {"maximum": kilobytes / 192}}
            nodes.append({**delay, "parameters": {"time": 0.25}})
        write(os.path.join(folder, f"song-{k}.json"), pipeline(nodes, name=f"Song {k}"))
        songs.append({"pipeline": f"song-{k}.json"})
    path = os.path.join(folder, "setlist.json")
    write(path, {"version": 1, "setlist": f"{count} songs", "songs": songs})
    return path
