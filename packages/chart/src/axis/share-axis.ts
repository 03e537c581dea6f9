/** Axes up to so many times as long as another share one length, so that panels can be compared. */
const NEAR = 4;
/** What is left of a name without these says what is measured. */
const STATISTICS = 'min(?:imum)?|max(?:imum)?|avg|average|mean|median|smallest|largest|lowest|highest';
const UNSAID = new RegExp(`(?<![a-z])(?:${STATISTICS}|y?\\d+)(?![a-z])|[^a-z]+`, 'g');

/**
 * Whether panels have one axis: where their numbers are of one size, by how far each `reach`es from zero, or where their
 * names differ only by a statistic or a year, so that they are in one unit.
 */
export function shareAxis(reach: readonly number[], names: readonly string[]): boolean {
  const [most, least] = [Math.max(...reach), Math.min(...reach)];
  if (most <= NEAR * least || reach.length < 2) return true;
  return new Set(names.map((name) => name.toLowerCase().replaceAll(UNSAID, ''))).size === 1;
}
