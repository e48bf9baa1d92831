/// Isotonic regression: the nearest values that never decrease.
enum Monotone {
    /// Replaces neighbours that are out of order by their mean (pool adjacent violators; Ayer and
    /// others, 1955).
    static func fit(_ wanted: [(value: Double, weight: Double)]) -> [Double] {
        var pools: [(value: Double, weight: Double, count: Int)] = []
        for (value, weight) in wanted {
            pools.append((value, weight, 1))
            while pools.count > 1, pools[pools.count - 2].value > pools[pools.count - 1].value {
                let last = pools.removeLast()
                let before = pools.removeLast()
                let weight = before.weight + last.weight
                let mean = (before.value * before.weight + last.value * last.weight) / weight
                pools.append((mean, weight, before.count + last.count))
            }
        }
        return pools.flatMap { Array(repeating: $0.value, count: $0.count) }
    }
}
