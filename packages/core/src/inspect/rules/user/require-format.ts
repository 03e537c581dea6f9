import type { FilterShape, OperandShape } from '../../../ports/query-shape.ts';
import { defineRule } from '../../define-rule.ts';
import type { InspectionFinding, Severity } from '../../finding.ts';
import { attributeName, originOf } from '../../resolve/index.ts';
import type { InspectionRule, RuleFinding } from '../../rule.ts';
import { namedAttribute } from './named-attribute.ts';

export interface RequireFormatOptions {
  /** `relation.attribute` */
  readonly attribute: string;
  /** What the whole text of a value has to match, flags of the expression included. */
  readonly pattern: RegExp;
  /** For a person: what the format is. */
  readonly message: string;
  /** A value in the right format, for the advice. */
  readonly example?: string | undefined;
  /** Default `value-format`; `custom/words-with-hyphens` tells several rules apart. */
  readonly code?: InspectionFinding['code'] | undefined;
  /** Default `error`. */
  readonly severity?: Severity | undefined;
}

/** Operators whose values are whole values of the attribute; patterns of LIKE are parts. */
const WHOLE: ReadonlySet<FilterShape['operator']> = new Set([
  '=',
  '<>',
  '<',
  '<=',
  '>',
  '>=',
  'in',
  'between',
  'is distinct from',
]);

/**
 * A rule about the format of the values that an attribute is compared with: texts and numbers in conditions on the bare attribute.
 *
 * @throws AskemaError `CONFIG_INVALID` for a code that is none.
 */
export function requireFormat(options: RequireFormatOptions): InspectionRule {
  const { attribute, message, example, code = 'value-format', severity = 'error' } = options;
  // Sticky and global expressions carry state from one test to the next.
  const pattern = new RegExp(`^(?:${options.pattern.source})$`, options.pattern.flags.replace(/[gy]/g, ''));
  return defineRule({
    code,
    severity,
    title: message,
    check(query) {
      const wanted = namedAttribute(query, attribute);
      const column = attributeName(query, wanted, { qualified: true });
      return query.blocks.flatMap(({ block }) =>
        block.filters.flatMap((filter) => {
          const sides = [filter.left, ...filter.right];
          const isAbout = sides.some(
            ({ kind, columns }) =>
              kind === 'column' && columns.some((index) => originOf(query, block.id, index) === wanted),
          );
          if (!isAbout || !WHOLE.has(filter.operator)) return [];
          return sides.flatMap((side) => {
            const value = literalText(side);
            if (value === undefined || pattern.test(value)) return [];
            const finding: RuleFinding = {
              message: `${message} ${column} is compared with ${JSON.stringify(value)}.`,
              advice: `Write the value in the format of ${column}${example === undefined ? '' : `, for example ${JSON.stringify(example)}`}.`,
              span: side.span,
              column,
              value,
            };
            return [finding];
          });
        }),
      );
    },
  });
}

function literalText({ kind, literal }: OperandShape): string | undefined {
  if (kind !== 'literal' || (literal?.type !== 'string' && literal?.type !== 'number')) return undefined;
  return literal.value;
}
