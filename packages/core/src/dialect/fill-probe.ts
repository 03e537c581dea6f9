/**
 * Fills the holes of a probe skeleton (`Dialect.probes`): `{relation}`, `{attribute}`, `{pattern}`, `{limit}`. The
 * values are SQL already (quoted names and literals) and are never searched for holes themselves. An unknown hole stays
 * as it is.
 */
export function fillProbe(skeleton: string, values: Readonly<Record<string, string | number>>): string {
  return skeleton.replace(/\{(\w+)\}/g, (hole, key: string) =>
    Object.hasOwn(values, key) ? String(values[key]) : hole,
  );
}
