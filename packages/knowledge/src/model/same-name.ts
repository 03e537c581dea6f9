/** Names of datasets, fields, metrics and whatever else has one are compared without case. */
export function sameName(a: string | undefined, b: string | undefined): boolean {
  return a?.toLowerCase() === b?.toLowerCase();
}
