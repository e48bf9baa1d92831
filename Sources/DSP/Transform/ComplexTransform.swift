internal import CRealtime
internal import Realtime

/// The forward Fourier transform of complex numbers, in self-sorting steps (Stockham), four lanes
/// at a time.
///
/// Each stage splits a transform into four shorter ones. If the numbers of a stage are neighbours,
/// a vector contains four of them, and all four share a factor. In the first stage they are not
/// neighbours, so that stage transposes them. The caller loads the input and stores the output, so
/// that both may have any order.
struct ComplexTransform: ~Copyable {
    /// The number of values: a power of two, at least 32.
    let count: Int
    /// The factors of the first stage: three vectors for each four numbers.
    private let firstFactors: Buffer<Float>
    /// The factors of the other stages: three pairs for each number.
    private let factors: Buffer<Float>
    private let scratch: Buffer<Float>

    init(count: Int) {
        self.count = count
        firstFactors = Buffer(count: 6 * count / 4, repeating: 0)
        factors = Buffer(count: 2 * count, repeating: 0)
        scratch = Buffer(count: 4 * (count + SplitNumbers.gap), repeating: 0)
        writeFactors()
    }

    private func writeFactors() {
        for number in 0..<(count / 4) {
            for power in 1...3 {
                let factor = unitRoot(of: count, power * number)
                let vector = 3 * (number / 4) + power - 1
                let index = 8 * vector + number % 4
                firstFactors[index] = factor.real
                firstFactors[index + 4] = factor.imaginary
            }
        }
        var index = 0
        var length = count / 4
        while length > 8 {
            for number in 0..<(length / 4) {
                for power in 1...3 {
                    let factor = unitRoot(of: length, power * number)
                    factors[index] = factor.real
                    factors[index + 1] = factor.imaginary
                    index += 2
                }
            }
            length /= 4
        }
    }

    /// Scratch memory for `count` numbers that `load` may read from.
    var spare: (real: UnsafeMutablePointer<Float>, imaginary: UnsafeMutablePointer<Float>) {
        @_noLocks get {
            let numbers = SplitNumbers(scratch.start + 2 * (count + SplitNumbers.gap), count: count)
            return (numbers.real, numbers.imaginary)
        }
    }

    /// Transforms the vectors that `load` returns and passes the vectors of the result to `store`.
    ///
    /// - Parameters:
    ///   - onlyEnds: Whether only the first and the last eighth of the result are needed.
    ///   - load: Returns the vector that starts at an index.
    ///   - store: Receives the vector that starts at an index.
    @_noLocks @inline(__always)
    func transform(
        onlyEnds: Bool = false, load: (_ index: Int) -> ComplexLanes,
        store: (_ index: Int, ComplexLanes) -> Void
    ) {
        begin(load: load)
        finish(onlyEnds: onlyEnds, store: store)
    }

    /// The first stage of `transform`, for callers that spread the work over time.
    @_noLocks @inline(__always)
    func begin(load: (_ index: Int) -> ComplexLanes) {
        runFirstStage(load: load, into: SplitNumbers(scratch.start, count: count))
    }

    /// The other stages of `transform`, after `begin`.
    @_noLocks @inline(__always)
    func finish(onlyEnds: Bool = false, store: (_ index: Int, ComplexLanes) -> Void) {
        var numbers = SplitNumbers(scratch.start, count: count)
        var others = SplitNumbers(
            scratch.start + 2 * (count + SplitNumbers.gap), count: count)
        var (length, stride) = (count / 4, 4)
        var stageFactors = UnsafePointer(factors.start)
        while length > 8 {
            if stride == 4 {
                runSecondStage(numbers, into: others, length: length, stageFactors)
            } else {
                runStage(numbers, into: others, length: length, stride: stride, stageFactors)
            }
            (numbers, others) = (others, numbers)
            stageFactors += 6 * (length / 4)
            length /= 4
            stride *= 4
        }
        if length == 8 {
            runLastStageOfEight(numbers, stride: stride, onlyEnds: onlyEnds, store: store)
        } else {
            runLastStageOfFour(numbers, stride: stride, onlyEnds: onlyEnds, store: store)
        }
    }

    @_noLocks @inline(__always)
    private func runFirstStage(load: (_ index: Int) -> ComplexLanes, into output: SplitNumbers) {
        let quarter = count / 4
        var factor = UnsafePointer(firstFactors.start)
        var index = 0
        while index < quarter {
            let points = FourPoints(
                transforming: load(index), load(index &+ quarter), load(index &+ 2 &* quarter),
                load(index &+ 3 &* quarter))
            let second = points.second * ComplexLanes(factor, factor + 4, at: 0)
            let third = points.third * ComplexLanes(factor, factor + 4, at: 8)
            let fourth = points.fourth * ComplexLanes(factor, factor + 4, at: 16)
            rt_store_transposed(
                output.real + 4 * index, points.first.real, second.real, third.real, fourth.real)
            rt_store_transposed(
                output.imaginary + 4 * index, points.first.imaginary, second.imaginary,
                third.imaginary, fourth.imaginary)
            factor += 24
            index &+= 4
        }
    }

    @_noLocks
    private func runStage(
        _ input: SplitNumbers, into output: SplitNumbers, length: Int, stride: Int,
        _ factors: UnsafePointer<Float>
    ) {
        let quarter = length / 4 * stride
        var factor = factors
        var (first, target) = (0, 0)
        while first < quarter {
            let factor1 = ComplexLanes(repeating: factor)
            let factor2 = ComplexLanes(repeating: factor + 2)
            let factor3 = ComplexLanes(repeating: factor + 4)
            let end = first &+ stride
            while first < end {
                let points = input.fourPoints(at: first, apart: quarter)
                output.store(points.first, at: target)
                output.store(points.second * factor1, at: target &+ stride)
                output.store(points.third * factor2, at: target &+ 2 &* stride)
                output.store(points.fourth * factor3, at: target &+ 3 &* stride)
                first &+= 4
                target &+= 4
            }
            target &+= 3 &* stride
            factor += 6
        }
    }

    /// Runs a stage in which four numbers share a factor: one vector per factor.
    @_noLocks
    private func runSecondStage(
        _ input: SplitNumbers, into output: SplitNumbers, length: Int,
        _ factors: UnsafePointer<Float>
    ) {
        var factor = factors
        var (from, to) = (input, output)
        var left = length
        while left > 0 {
            let points = from.fourPoints(at: 0, apart: length)
            to.store(points.first, at: 0)
            to.store(points.second * ComplexLanes(repeating: factor), at: 4)
            to.store(points.third * ComplexLanes(repeating: factor + 2), at: 8)
            to.store(points.fourth * ComplexLanes(repeating: factor + 4), at: 12)
            factor += 6
            from = from.advanced(by: 4)
            to = to.advanced(by: 16)
            left &-= 4
        }
    }

    @_noLocks @inline(__always)
    private func runLastStageOfFour(
        _ input: SplitNumbers, stride: Int, onlyEnds: Bool,
        store: (_ index: Int, ComplexLanes) -> Void
    ) {
        var index = 0
        while index < stride {
            let points = input.fourPoints(at: index, apart: stride)
            if !onlyEnds || index < stride / 2 { store(index, points.first) }
            if !onlyEnds {
                store(index &+ stride, points.second)
                store(index &+ 2 &* stride, points.third)
            }
            if !onlyEnds || index >= stride / 2 {
                store(index &+ 3 &* stride, points.fourth)
            }
            index &+= 4
        }
    }

    /// Runs two transforms of four, and one of two across them.
    @_noLocks @inline(__always)
    private func runLastStageOfEight(
        _ input: SplitNumbers, stride: Int, onlyEnds: Bool,
        store: (_ index: Int, ComplexLanes) -> Void
    ) {
        let root = SIMD4<Float>(repeating: 0.70710678118654752)
        var index = 0
        while index < stride {
            let evens = input.fourPoints(at: index, apart: 2 &* stride)
            let odds = input.fourPoints(at: index &+ stride, apart: 2 &* stride)
            // Multiplied by the eighth root of unity and its cube.
            let second = odds.second.minusI(odds.second) * root
            let fourth = odds.fourth.plusI(odds.fourth) * root
            store(index, evens.first + odds.first)
            if !onlyEnds {
                store(index &+ stride, evens.second + second)
                store(index &+ 2 &* stride, evens.third.minusI(odds.third))
                store(index &+ 3 &* stride, evens.fourth - fourth)
                store(index &+ 4 &* stride, evens.first - odds.first)
                store(index &+ 5 &* stride, evens.second - second)
                store(index &+ 6 &* stride, evens.third.plusI(odds.third))
            }
            store(index &+ 7 &* stride, evens.fourth + fourth)
            index &+= 4
        }
    }
}

/// Complex numbers as two arrays.
private struct SplitNumbers: BitwiseCopyable {
    let real: UnsafeMutablePointer<Float>
    let imaginary: UnsafeMutablePointer<Float>

    /// The number of floats between two arrays: without a gap, all memory of a stage would share
    /// one set of the cache.
    static var gap: Int { @_noLocks @inline(__always) get { 16 } }

    @_noLocks @inline(__always)
    init(_ start: UnsafeMutablePointer<Float>, count: Int) {
        real = start
        imaginary = start + count + SplitNumbers.gap
    }

    @_noLocks @inline(__always)
    private init(_ real: UnsafeMutablePointer<Float>, _ imaginary: UnsafeMutablePointer<Float>) {
        self.real = real
        self.imaginary = imaginary
    }

    @_noLocks @inline(__always)
    func advanced(by count: Int) -> SplitNumbers { SplitNumbers(real + count, imaginary + count) }

    @_noLocks @inline(__always)
    func store(_ numbers: ComplexLanes, at index: Int) {
        numbers.store(real, imaginary, at: index)
    }

    @_noLocks @inline(__always)
    func fourPoints(at index: Int, apart distance: Int) -> FourPoints {
        FourPoints(
            transforming: ComplexLanes(real, imaginary, at: index),
            ComplexLanes(real, imaginary, at: index &+ distance),
            ComplexLanes(real, imaginary, at: index &+ 2 &* distance),
            ComplexLanes(real, imaginary, at: index &+ 3 &* distance))
    }
}
