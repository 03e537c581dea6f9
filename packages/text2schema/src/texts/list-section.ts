/** A heading and its points; nothing where there are none. */
export function listSection(heading: string, points: readonly string[]): readonly string[] {
  return points.length === 0 ? [] : [[`${heading}:`, ...points.map((point) => `- ${point}`)].join('\n')];
}
