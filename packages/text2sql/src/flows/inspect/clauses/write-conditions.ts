import { type Assembly, inBrackets, report, type WrittenExpression, writeExpression } from './assembly.ts';
import type { AddHaving, AddWhere, ConditionOperand, ConditionTree } from './clause-action.ts';
import { writeLiteral } from './dialect-forms.ts';
import { concat, joinPieces, markedAs, type SqlPiece } from './expression-text.ts';
import type { ScopeRelation } from './name-scope.ts';
import { isNumberLiteral } from './parse-condition.ts';

/** One condition as SQL; whether AND or OR stands in it outside of brackets. */
export interface WrittenCondition {
  readonly piece: SqlPiece;
  readonly isCompound: boolean;
}

export function writeCondition(
  assembly: Assembly,
  action: number,
  condition: AddWhere | AddHaving,
  scope: readonly ScopeRelation[],
  ownNames: readonly string[],
): WrittenCondition {
  const { operator, right } = condition;
  const left = writeExpression(assembly, action, 'left', condition.left, scope, ownNames);
  const tested = inBrackets(left.piece, left.isLoose);
  if (left.isList) report(assembly, action, 'left holds several expressions: a condition tests one.');
  const operand = (position: number): SqlPiece => {
    const value = right[position];
    if (value === undefined) {
      report(
        assembly,
        action,
        `\`${operator}\` needs ${operator === 'between' ? 'two operands' : 'an operand'} in right.`,
      );
      return concat('');
    }
    const { piece, isLoose } = writeOperand(assembly, action, value, scope, ownNames, operator);
    return inBrackets(piece, isLoose);
  };
  const word = operator.toUpperCase();
  switch (operator) {
    case 'holds':
      return { piece: left.piece, isCompound: left.isCompound };
    case 'is null':
    case 'is not null':
      return simple(concat(tested, ` ${word}`));
    case 'exists':
    case 'not exists': {
      if (!left.isBracketed && !isSubQuestion(condition.left))
        report(
          assembly,
          action,
          `\`${operator}\` tests a sub-question, written as $id, not ${condition.left.slice(0, 80)}.`,
        );
      return simple(concat(`${word} `, left.piece));
    }
    case 'between':
      return simple(concat(tested, ' BETWEEN ', operand(0), ' AND ', operand(1)));
    case 'in':
    case 'not in':
      return simple(concat(tested, ` ${word} `, writeList(assembly, action, right, scope, ownNames)));
    default:
      return simple(concat(tested, ` ${word} `, operand(0)));
  }
}

/** The conditions of a clause as the tree says; the whole stands after WHERE or HAVING. */
export function writeTree(tree: ConditionTree, conditions: ReadonlyMap<number, WrittenCondition>): SqlPiece {
  const isOnly = conditions.size === 1;
  const write = (node: ConditionTree, above: 'and' | 'or' | undefined, depth: number): SqlPiece => {
    if (node.kind === 'condition') {
      const { piece, isCompound } = conditions.get(node.action) ?? { piece: concat(''), isCompound: false };
      return isOnly ? piece : markedAs(node.action, inBrackets(piece, isCompound));
    }
    const separator = depth === 0 ? `\n  ${node.kind.toUpperCase()} ` : ` ${node.kind.toUpperCase()} `;
    const operands = node.operands.map((operand) => write(operand, node.kind, depth + 1));
    return inBrackets(joinPieces(operands, separator), above !== undefined && above !== node.kind);
  };
  return write(tree, undefined, 0);
}

function simple(piece: SqlPiece): WrittenCondition {
  return { piece, isCompound: false };
}

function isSubQuestion(text: string): boolean {
  return /^\$[A-Za-z_]\w*$/.test(text.trim());
}

function writeOperand(
  assembly: Assembly,
  action: number,
  value: ConditionOperand,
  scope: readonly ScopeRelation[],
  ownNames: readonly string[],
  operator: string,
): Pick<WrittenExpression, 'piece' | 'isLoose'> {
  if (value.kind === 'expression') {
    const written = writeExpression(assembly, action, 'right', value.sql, scope, ownNames);
    if (written.isList) report(assembly, action, 'An operand holds several expressions: give each its own.');
    return written;
  }
  const isText = operator === 'like' || operator === 'not like';
  const literal = isText && value.kind === 'number' ? { kind: 'text' as const, value: value.value } : value;
  if (literal.kind === 'number' && !isNumberLiteral(literal.value)) {
    report(
      assembly,
      action,
      `${JSON.stringify(literal.value.slice(0, 80))} is no number: use the kind \`text\` or \`expression\`.`,
    );
    return { piece: concat(''), isLoose: false };
  }
  if (literal.kind === 'text' && literal.value.includes('\0')) {
    report(assembly, action, 'A text contains a NUL character, which SQL cannot carry.');
    return { piece: concat(''), isLoose: false };
  }
  return { piece: concat(writeLiteral(literal, assembly.dialect)), isLoose: false };
}

/** The right side of IN: a sub-query, a list that stands in brackets already, or operands one by one. */
function writeList(
  assembly: Assembly,
  action: number,
  right: readonly ConditionOperand[],
  scope: readonly ScopeRelation[],
  ownNames: readonly string[],
): SqlPiece {
  const [only] = right;
  if (only === undefined) report(assembly, action, '`in` needs at least one operand in right.');
  if (right.length === 1 && only?.kind === 'expression') {
    const { piece, isBracketed, isList } = writeExpression(assembly, action, 'right', only.sql, scope, ownNames);
    const isArray = /^unnest\s*\(/i.test(only.sql.trim()) && !isList;
    return inBrackets(piece, !isBracketed && !isSubQuestion(only.sql) && !isArray);
  }
  const items = right.map((value) => writeOperand(assembly, action, value, scope, ownNames, 'in').piece);
  return concat('(', joinPieces(items, ', '), ')');
}
