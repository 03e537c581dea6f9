/**
 * How many cases a costly property tries. A run of the unit tests tries few, with a new seed each time: a defect in one
 * case of fifty is found all the same. `pnpm test:properties` tries five times as many.
 */
export function propertyRuns(count: number): number {
  return count * Number(process.env.ASKEMA_PROPERTY_TIMES ?? 1);
}
