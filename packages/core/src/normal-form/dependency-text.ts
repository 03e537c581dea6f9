import type { FunctionalDependency } from './functional-dependency.ts';
import { needsQuotes } from './scan-dependency.ts';

/**
 * The dependency as `parseDependency` reads it, with or without knowing the attributes: `Student ID, Course ID -> Grade`. Names with a comma, an
 * arrow or a quote in front stand in double quotes; an empty left side is `∅`.
 */
export function dependencyText({ left, right }: FunctionalDependency): string {
  return `${left.length === 0 ? '∅' : attributesText(left)} -> ${attributesText(right)}`;
}

/** The attributes as one side of a dependency. */
export function attributesText(attributes: readonly string[]): string {
  return attributes.map((name) => (needsQuotes(name) ? `"${name.replaceAll('"', '""')}"` : name)).join(', ');
}
