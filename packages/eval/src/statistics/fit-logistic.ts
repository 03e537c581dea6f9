/** Log-odds of being true: the intercept, and what each feature adds. */
export interface LogisticFit {
  readonly intercept: number;
  readonly weights: readonly number[];
}

/** Of the squares of the weights, not of the intercept: a prior of weights around 0 with variance 1. */
const PENALTY = 1;
/** Newton's method has converged long before. */
const MAX_STEPS = 50;
const ENOUGH = 1e-9;

/**
 * Logistic regression with a ridge penalty, by Newton's method. Every row has the same number of features.
 *
 * Cost: rows × features² a step.
 */
export function fitLogistic(rows: readonly (readonly number[])[], truths: readonly boolean[]): LogisticFit {
  const inputs = rows.map((row) => [1, ...row]);
  const size = inputs[0]?.length ?? 1;
  let weights = new Array<number>(size).fill(0);
  for (let step = 0; step < MAX_STEPS; step += 1) {
    const gradient = weights.map((weight, at) => (at === 0 ? 0 : PENALTY * weight));
    const curvature: number[][] = weights.map((_, at) =>
      weights.map((_w, other) => (at === other && at > 0 ? PENALTY : 0)),
    );
    for (const [at, row] of inputs.entries()) {
      const probability = 1 / (1 + Math.exp(-dot(row, weights)));
      const error = probability - Number(truths[at] === true);
      // Kept from 0, so that the intercept has a curvature.
      const spread = Math.max(probability * (1 - probability), 1e-9);
      for (const [i, x] of row.entries()) {
        gradient[i] = (gradient[i] ?? 0) + error * x;
        const line = curvature[i] ?? [];
        for (const [j, y] of row.entries()) line[j] = (line[j] ?? 0) + spread * x * y;
      }
    }
    const change = solve(curvature, gradient);
    weights = weights.map((weight, at) => weight - (change[at] ?? 0));
    if (Math.max(...change.map(Math.abs)) < ENOUGH) break;
  }
  const [intercept = 0, ...others] = weights;
  return { intercept, weights: others };
}

function dot(a: readonly number[], b: readonly number[]): number {
  return a.reduce((sum, value, at) => sum + value * (b[at] ?? 0), 0);
}

/** `matrix · x = right` by elimination; the matrix is symmetric and positive definite, so no pivot is 0. */
function solve(matrix: readonly (readonly number[])[], right: readonly number[]): number[] {
  const rows = matrix.map((row, at) => [...row, right[at] ?? 0]);
  for (const [at, row] of rows.entries()) {
    const pivot = row[at] ?? 1;
    for (const other of rows) {
      if (other === row) continue;
      const share = (other[at] ?? 0) / pivot;
      for (let column = at; column < other.length; column += 1)
        other[column] = (other[column] ?? 0) - share * (row[column] ?? 0);
    }
  }
  return rows.map((row, at) => (row.at(-1) ?? 0) / (row[at] ?? 1));
}
