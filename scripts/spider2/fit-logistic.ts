/** One observation: features, and whether it was right. */
export interface Observation {
  readonly features: readonly number[];
  readonly isRight: boolean;
}

/**
 * Rounds of gradient descent, their step, and the weight of the ridge that keeps 80 observations from fitting noise.
 */
const ROUNDS = 2_000;
const STEP = 0.5;
const RIDGE = 0.02;

/**
 * Logistic regression with a ridge on all weights but the constant; gives the probability for features. Deterministic.
 */
export function fitLogistic(observations: readonly Observation[]): (features: readonly number[]) => number {
  const width = observations[0]?.features.length ?? 0;
  const weights = new Array<number>(width + 1).fill(0);
  const predict = (features: readonly number[]): number =>
    sigmoid((weights[0] ?? 0) + features.reduce((sum, feature, at) => sum + feature * (weights[at + 1] ?? 0), 0));
  for (let round = 0; round < ROUNDS; round += 1) {
    const gradient = weights.map((weight, at) => (at === 0 ? 0 : RIDGE * weight));
    for (const { features, isRight } of observations) {
      const error = (predict(features) - (isRight ? 1 : 0)) / observations.length;
      for (const [at, value] of [1, ...features].entries()) gradient[at] = (gradient[at] ?? 0) + error * value;
    }
    for (const [at, slope] of gradient.entries()) weights[at] = (weights[at] ?? 0) - STEP * slope;
  }
  return predict;
}

function sigmoid(value: number): number {
  return 1 / (1 + Math.exp(-value));
}
