import type { Call, Expression } from './expression.ts';
import { FUNCTIONS } from './functions.ts';
import { dateAdd, dateDiff, dateTrunc } from './write-time.ts';
import { type ExpressionWriter, fill, refusal, templateOf } from './writer.ts';

/** A call of one of {@link FUNCTIONS}, as the engine writes it. */
export function writeCall(call: Call, writer: ExpressionWriter): string {
  const { filter, withinGroup } = call;
  const [first, second, third] = call.arguments;
  if (call.name === 'CONCAT') return joined(call, writer);
  if (call.name === 'DATE_TRUNC' && first && second) return dateTrunc(first, second, writer);
  if (call.name === 'DATEADD' && first && second && third) return dateAdd(first, second, third, writer);
  if (call.name === 'DATEDIFF' && first && second && third) return dateDiff(first, second, third, writer);
  const parts = [...call.arguments];
  // Of a percentile, the rows that count are those of the ordered value.
  if (withinGroup !== undefined) parts.push(filtered(withinGroup.expression, filter));
  else if (filter !== undefined) parts.splice(0, 1, filtered(parts[0], filter));
  return fromTemplate(call, parts, writer);
}

function fromTemplate(call: Call, parts: readonly Expression[], writer: ExpressionWriter): string {
  const { name } = call;
  const template = templateOf(name, FUNCTIONS.get(name)?.written ?? `${name}({*})`, writer.dialect);
  const args = parts.map(writer.operand);
  if (name === 'ROUND' && args.length === 1) args.push('0');
  if (call.withinGroup?.isDescending) {
    if (name !== 'PERCENTILE_CONT')
      throw refusal('function', `${name} is written in ascending order only.`, 'Write ORDER BY without DESC.');
    // From above, the same value.
    args[0] = fromAbove(parts[0], args[0] ?? '');
  }
  const holes = Object.fromEntries(args.map((text, at) => [String(at), text]));
  const text = fill(template, { ...holes, '*': args.join(', ') });
  return call.isDistinct ? text.replace('(', '(DISTINCT ') : text;
}

/** The fraction counted from the other end. */
function fromAbove(fraction: Expression | undefined, written: string): string {
  if (fraction?.kind !== 'literal') return `(1 - ${written})`;
  return String(Number((1 - Number(fraction.value)).toFixed(12)));
}

/** NULL where the condition does not hold: aggregates leave NULLs out. */
function filtered(value: Expression | undefined, filter: Expression | undefined): Expression {
  const one: Expression = { kind: 'literal', type: 'number', value: '1', span: { start: 0, end: 0 } };
  const result = value === undefined || value.kind === 'star' ? one : value;
  return filter === undefined ? result : { kind: 'case', branches: [{ when: filter, result }], span: result.span };
}

/** CONCAT of engines leaves NULLs out or does not; `||` is NULL where one side is, everywhere. */
function joined({ arguments: parts, span }: Call, { operand }: ExpressionWriter): string {
  const text = parts.reduce((left, right): Expression => ({ kind: 'binary', operator: '||', left, right, span }));
  return operand(text);
}
