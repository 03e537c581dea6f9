import type { Attribute } from '../../../schema/schema.ts';
import { attributeName } from '../../resolve/index.ts';
import type { ResolvedQuery } from '../../resolved-query.ts';
import type { InspectionRule, RuleFinding } from '../../rule.ts';
import { AskedAttributes } from './asked-attributes.ts';
import { type ColumnUse, columnUses, usedAttributes } from './column-uses.ts';
import { questionText } from './question-text.ts';
import { repeatedItems } from './repeated-items.ts';

/** More columns than this that the question does not speak of: then it says little of any. */
const MAX_UNASKED = 2;

/**
 * A column that the question does not speak of: the wrong one in SELECT, in a comparison with a number, or in ORDER BY. It is surest where the
 * question names another column that the statement leaves out. Names, comments and a few plain synonyms are compared; others are not known.
 */
export const columnAsked: InspectionRule = {
  code: 'column-asked',
  severity: 'warning',
  title: 'The question speaks of another column than the statement uses',
  *check(query) {
    yield* repeatedItems(query);
    const question = questionText(query);
    if (question === undefined) return;
    const asked = new AskedAttributes(query, question);
    const unasked = unaskedUses(query, asked);
    const shown = new Set(unasked.flatMap(({ use }) => (use.place === 'shown' ? use.attribute : [])));
    if (shown.size > MAX_UNASKED) return;
    const named = asked.named(usedAttributes(query));
    const label = shown.size > 0 ? undefined : missingLabel(query, asked, named);
    if (label !== undefined) yield label;
    const reported = new Set<string>();
    for (const { use, attribute } of unasked) {
      const finding = reported.has(attribute.id) ? undefined : judge(query, asked, use, attribute, named);
      if (finding === undefined) continue;
      reported.add(attribute.id);
      yield finding;
    }
  },
};

/** Names or titles are asked for, and nothing of that kind is shown. */
function missingLabel(
  query: ResolvedQuery,
  asked: AskedAttributes,
  named: readonly Attribute[],
): RuleFinding | undefined {
  const label = named.find(({ name }) => asked.isLabel(name));
  const shown = columnUses(query).filter(({ place }) => place === 'shown');
  const [first] = shown;
  if (label === undefined || first === undefined || !isPlain(query)) return undefined;
  const names = shown.map(({ attribute }) => query.index.attribute(attribute)?.name ?? '');
  if (names.some((name) => asked.isLabel(name) || asked.isCalledName(name))) return undefined;
  const wanted = attributeName(query, label.id, { qualified: true });
  return {
    message: `The question asks for ${label.name}, and the statement shows no such column.`,
    advice: `Show ${wanted}.`,
    span: first.span,
  };
}

interface UnaskedUse {
  readonly use: ColumnUse;
  readonly attribute: Attribute;
}

function unaskedUses(query: ResolvedQuery, asked: AskedAttributes): readonly UnaskedUse[] {
  return columnUses(query).flatMap((use) => {
    const attribute = query.index.attribute(use.attribute);
    const isAggregated = use.place === 'aggregated' || use.place === 'counted';
    if (attribute === undefined) return [];
    // Things are counted by their ids, also where no key is declared and one is called `pid`.
    if (use.place === 'counted' && (asked.isIdentifier(attribute) || /id$/i.test(attribute.name))) return [];
    return asked.isUnasked(attribute, { isAggregated }) ? [{ use, attribute }] : [];
  });
}

function judge(
  query: ResolvedQuery,
  asked: AskedAttributes,
  use: ColumnUse,
  attribute: Attribute,
  named: readonly Attribute[],
): RuleFinding | undefined {
  const isOfValue = use.place !== 'shown' && use.place !== 'ordered by';
  // 1974 is a year without the word.
  if (use.numbers.some((number) => /^(?:1[89]|20)\d\d$/.test(number)) && /year|date/i.test(attribute.name))
    return undefined;
  const others = named.filter(
    (other) =>
      (use.place !== 'compared' || other.relation === attribute.relation) &&
      (!isOfValue || other.type === attribute.type || attribute.type !== 'NUMERIC'),
  );
  const sameRelation = others.filter(({ relation }) => relation === attribute.relation);
  const [other] = sameRelation.length > 0 ? sameRelation : others;
  const given = attributeName(query, attribute.id);
  if (other !== undefined) {
    const wanted = attributeName(query, other.id, { qualified: other.relation !== attribute.relation });
    return {
      severity: isPlain(query) ? 'warning' : 'note',
      message: `The question names ${wanted}, which the statement leaves out; ${given}, which is ${use.place} here, is not in the question.`,
      advice: `Use ${wanted} in place of ${given} if that is what the question asks for.`,
      span: use.span,
      fix:
        others.length === 1 && sameRelation.length === 1
          ? { description: `Use ${wanted}`, edits: [{ span: use.name, text: wanted }] }
          : undefined,
    };
  }
  const isIdentifier = asked.isIdentifier(attribute);
  if (use.place === 'compared' || (use.place === 'ordered by' && !isIdentifier) || isDeliberate(query, use))
    return undefined;
  if (isIdentifier && !asked.hasLabel(attribute.relation)) return undefined;
  return {
    severity: isPlain(query) ? 'warning' : 'note',
    message: isIdentifier
      ? `${given}, which is ${use.place} here, only tells rows from each other, and the question asks for no id.`
      : `${given}, which is ${use.place} here, is not in the question.`,
    advice: `Check that ${given} is what the question asks for; if not, use the column that is.`,
    span: use.span,
  };
}

/** The same attribute stands in another clause as well: no slip of the pen. */
function isDeliberate(query: ResolvedQuery, { attribute, span }: ColumnUse): boolean {
  return query.blocks.some(({ block, columns }) =>
    block.columns.some((column, index) => {
      const resolved = columns[index];
      const isOther = column.span.start !== span.start && column.clause !== 'join';
      return isOther && resolved?.kind === 'attribute' && resolved.attribute === attribute;
    }),
  );
}

/** Nothing but relations of the catalog in FROM: what is shown is not made up on the way. */
function isPlain(query: ResolvedQuery): boolean {
  return query.blocks.every(({ relations }) => relations.every(({ kind }) => kind === 'relation'));
}
