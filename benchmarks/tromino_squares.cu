// Covers of an n x n board by L-trominoes and at most one single cell (A233807), on one GPU.
//
//   nvcc -O3 -arch=sm_90 -o tromino_squares tromino_squares.cu
//   ./tromino_squares 28 P ...    residues modulo primes P below 2^62; 0 for modulo 2^64, -1 for floating point
//
// It shares no line with boardspace. State: which of cells i .. i + n are covered when all cells before i are; cell j has
// bit j mod (n + 1), so nothing is ever shifted: cell i leaves its bit to cell i + n + 1, which is free before. A second
// vector counts the covers with the single cell among those before i. A thread takes the 32 states that differ in bits
// i - 2 .. i + 2 through cells i and i + 1, in registers. The board is joined at its middle row from two passes, which are
// one: the lower half is the upper one, upside down. Two vectors of 2^(n + 1) words and half of them again: 26 GB for 29.
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <type_traits>
#include <vector>

typedef unsigned long long word;
#define CHECK(call) do { cudaError_t e = (call); if (e) { fprintf(stderr, "line %d: %s\n", __LINE__, cudaGetErrorString(e)); exit(1); } } while (0)

template <class T> __host__ __device__ T add(T a, T b, word modulus) {
    T sum = a + b;
    if constexpr (std::is_same_v<T, word>) if (modulus && sum >= modulus) sum -= modulus;  // both are below 2^62
    return sum;
}

template <class T> __device__ T times(T a, T b, word modulus) {
    if constexpr (std::is_same_v<T, word>) if (modulus) return (unsigned __int128)a * b % modulus;
    return a * b;
}

// Cover the cell with bit C, in 32 states; L, B, R: bits of the cells to the left below, below, and to the right.
template <class T, int L, int B, int C, int R> __device__ void cover(T* state, bool left, bool right, word modulus) {
    const int other = 31 & ~(1 << L | 1 << B | 1 << C | 1 << R);
#pragma unroll
    for (int side = 0; side < 2; side++) {
        const int base = side ? other : 0;
        T old[16];
#pragma unroll
        for (int k = 0; k < 16; k++) old[k] = state[base | (k & 1) << L | (k >> 1 & 1) << B | (k >> 2 & 1) << C | (k >> 3) << R];
#pragma unroll
        for (int k = 0; k < 16; k++) {  // bit 2 of a new state is the cell to the right below
            const int l = k & 1, b = k >> 1 & 1, d = k >> 2 & 1, r = k >> 3;
            T sum = d ? T(0) : old[k | 4];  // it was covered
            if (right && r && b && !d) sum = add(sum, old[l], modulus);
            if (right && r && d) sum = add(sum, old[l | b << 1], modulus);
            if (right && b && d) sum = add(sum, old[l | r << 3], modulus);
            if (left && l && b && !d) sum = add(sum, old[r << 3], modulus);
            state[base | l << L | b << B | d << C | r << R] = sum;
        }
    }
}

template <class T, int C> __device__ void leave_single(const T* plain, T* single, word modulus) {
#pragma unroll
    for (int k = 0; k < 32; k++) if (!(k >> C & 1)) single[k | 1 << C] = add(single[k | 1 << C], plain[k], modulus);
}

template <class T, bool SINGLE> __global__ void __launch_bounds__(128)
two_cells(word threads, T* plain, T* single, int bits, int lowest, int column, int n, bool two, word modulus) {
    word thread = blockIdx.x * 128ull + threadIdx.x;
    if (thread >= threads) return;
    const int wrapped = lowest + 5 - bits;
    word base = wrapped > 0 ? thread << wrapped : (thread & ((1ull << lowest) - 1)) | thread >> lowest << (lowest + 5);
    auto place = [&](int k) {
        word found = base;
#pragma unroll
        for (int q = 0; q < 5; q++) if (k >> q & 1) found |= 1ull << (lowest + q >= bits ? lowest + q - bits : lowest + q);
        return found;
    };
    T x[32], y[SINGLE ? 32 : 1];
#pragma unroll
    for (int k = 0; k < 32; k++) { x[k] = plain[place(k)]; if (SINGLE) y[k] = single[place(k)]; }
    bool left = column > 0, right = column < n - 1;
    if (SINGLE) { leave_single<T, 2>(x, y, modulus); cover<T, 0, 1, 2, 3>(y, left, right, modulus); }
    cover<T, 0, 1, 2, 3>(x, left, right, modulus);
    if (two) {
        column = right ? column + 1 : 0, left = column > 0, right = column < n - 1;
        if (SINGLE) { leave_single<T, 3>(x, y, modulus); cover<T, 1, 2, 3, 4>(y, left, right, modulus); }
        cover<T, 1, 2, 3, 4>(x, left, right, modulus);
    }
#pragma unroll
    for (int k = 0; k < 32; k++) { plain[place(k)] = x[k]; if (SINGLE) single[place(k)] = y[k]; }
}

__device__ word turned(word row, int by, int bits) { return (row << by | row >> (bits - by)) & ((1ull << bits) - 1); }

// The counts by the covered cells of a row, whose first cell has bit ``by``.
template <class T> __global__ void keep_row(word rows, const T* counts, T* kept, int by, int bits) {
    word row = blockIdx.x * 256ull + threadIdx.x;
    if (row < rows) kept[row] = counts[turned(row, by, bits)];
}

template <class T, bool SINGLE> __global__ void
join(word rows, const T* plain, const T* single, const T* lower, const T* lower_single, int by, int bits, int n, word modulus, T* sums) {
    word thread = blockIdx.x * 256ull + threadIdx.x;
    T sum = 0;
    for (word row = thread; row < rows; row += gridDim.x * 256ull) {
        word here = turned(row, by, bits), rest = rows - 1 & ~row;
        T below = lower[rest];
        if (SINGLE) {
            sum = add(sum, times(single[here], below, modulus), modulus);
            below = lower_single[rest];
            for (int cell = 0; cell < n; cell++) if (rest >> cell & 1) below = add(below, lower[rest ^ 1ull << cell], modulus);
        }
        sum = add(sum, times(plain[here], below, modulus), modulus);
    }
    sums[thread] = sum;
}

template <class T, bool SINGLE> T covers(int n, word modulus) {
    const int bits = n + 1, above = n / 2 * n, below = (n - 1 - n / 2) * n, threads = 2048 * 256;
    const word states = 1ull << bits, rows = 1ull << n;
    T *counts[2] = {}, *lower[2] = {}, *sums, one = 1;
    for (int k = 0; k <= SINGLE; k++) {
        CHECK(cudaMalloc(&counts[k], states * sizeof(T)));
        CHECK(cudaMemset(counts[k], 0, states * sizeof(T)));
        CHECK(cudaMalloc(&lower[k], rows * sizeof(T)));
    }
    CHECK(cudaMemcpy(counts[0], &one, sizeof(T), cudaMemcpyHostToDevice));
    for (int cell = 0;;) {
        if (cell == below) for (int k = 0; k <= SINGLE; k++) keep_row<<<(rows + 255) / 256, 256>>>(rows, counts[k], lower[k], cell % bits, bits);
        if (cell == above) break;
        bool two = cell + 1 < (cell < below ? below : above);
        word some = states >> 5;
        two_cells<T, SINGLE><<<(some + 127) / 128, 128>>>(some, counts[0], counts[1], bits, (cell + bits - 2) % bits, cell % n, n, two, modulus);
        cell += 1 + two;
    }
    CHECK(cudaMalloc(&sums, threads * sizeof(T)));
    join<T, SINGLE><<<threads / 256, 256>>>(rows, counts[0], counts[1], lower[0], lower[1], above % bits, bits, n, modulus, sums);
    std::vector<T> found(threads);
    CHECK(cudaMemcpy(found.data(), sums, threads * sizeof(T), cudaMemcpyDeviceToHost));
    T total = 0;
    for (T sum : found) total = add(total, sum, modulus);
    for (T* array : {counts[0], counts[1], lower[0], lower[1], sums}) cudaFree(array);
    return total;
}

int main(int count, char** arguments) {
    int n = count > 1 ? atoi(arguments[1]) : 0;
    if (n < 4 || n > 32 || count < 3) { fprintf(stderr, "usage: %s SIDE MODULUS ...; a side of 4 to 32\n", arguments[0]); return 2; }
    for (int k = 2; k < count; k++) {
        if (!strcmp(arguments[k], "-1")) {
            printf("%d about %.17g\n", n, n % 3 ? covers<double, true>(n, 0) : covers<double, false>(n, 0));
        } else {
            word modulus = strtoull(arguments[k], nullptr, 10);
            printf("%d modulo %llu: %llu\n", n, modulus, n % 3 ? covers<word, true>(n, modulus) : covers<word, false>(n, modulus));
        }
        fflush(stdout);
    }
}
