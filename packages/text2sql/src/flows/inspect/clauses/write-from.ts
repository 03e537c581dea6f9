import { qualifiedName, quoteIdentifier, quoteIfNeeded } from '@askema/core';
import { isSymbol, nameOfToken, type SqlToken, significantTokens } from '@askema/sql';
import { type Assembly, inBrackets, questionNamed, report, writeExpression } from './assembly.ts';
import type { AddFrom, JoinArgument } from './clause-action.ts';
import { concat, joinPieces, markedAs, readExpression, type SqlPiece } from './expression-text.ts';
import { relationsNamed, type ScopeRelation } from './name-scope.ts';
import { bracketedAnswer, quotedNameOf, writeOwnName } from './sub-questions.ts';

const JOIN_WORDS: Readonly<Record<JoinArgument['kind'], string>> = {
  inner: 'JOIN',
  left: 'LEFT JOIN',
  right: 'RIGHT JOIN',
  full: 'FULL JOIN',
  cross: 'CROSS JOIN',
};

interface WrittenRelation {
  readonly piece: SqlPiece;
  readonly scope: ScopeRelation;
}

type Named = Pick<AddFrom, 'relation' | 'alias'>;

/** FROM with its joins, and the relations whose columns are in sight. */
export function writeFrom(
  assembly: Assembly,
  action: number,
  from: AddFrom,
): { readonly piece: SqlPiece; readonly scope: readonly ScopeRelation[] } {
  const first = writeRelation(assembly, action, from);
  const joined = from.joins.map((join) => ({ join, ...writeRelation(assembly, action, join) }));
  const scope = [first.scope, ...joined.map((relation) => relation.scope)];
  const lines = joined.map(({ join, piece }) =>
    concat(`${JOIN_WORDS[join.kind]} `, piece, joinCondition(assembly, action, join, scope)),
  );
  return { piece: markedAs(action, joinPieces([concat('FROM ', first.piece), ...lines], '\n')), scope };
}

function joinCondition(
  assembly: Assembly,
  action: number,
  join: JoinArgument,
  scope: readonly ScopeRelation[],
): SqlPiece | string {
  const side = (text: string): SqlPiece => {
    const { piece, isLoose } = writeExpression(assembly, action, 'A column of on', text, scope);
    return inBrackets(piece, isLoose);
  };
  const parts = join.on.map(({ left, right }) => concat(side(left), ' = ', side(right)));
  if (join.condition !== undefined) {
    const { piece, isCompound } = writeExpression(assembly, action, 'The condition of a join', join.condition, scope);
    parts.push(inBrackets(piece, isCompound && parts.length > 0));
  }
  const isCross = join.kind === 'cross';
  if (isCross && parts.length > 0)
    report(assembly, action, `The cross join with ${join.relation} takes no condition: make it an inner join.`);
  // LEFT JOIN UNNEST(t.items) and the like take rows of the other side.
  const isCall = isRowSource(significantTokens(join.relation, assembly.dialect.lexer), join.relation, assembly);
  if (!isCross && !isCall && parts.length === 0)
    report(
      assembly,
      action,
      `The join with ${join.relation} has no condition: name the columns that have to be equal in on.`,
    );
  return parts.length === 0 ? '' : concat(' ON ', joinPieces(parts, ' AND '));
}

function writeRelation(assembly: Assembly, action: number, named: Named): WrittenRelation {
  const text = named.relation.trim();
  // The name of a CTE hides a relation of the catalog.
  const isRows = assembly.questions.get(text)?.use === 'rows';
  const id = isRows ? text : /^\$([A-Za-z_]\w*)$/.exec(text)?.[1];
  return id === undefined ? namedRelation(assembly, action, named, text) : answerRelation(assembly, action, named, id);
}

/** A CTE by its name, or a sub-query in brackets, which many dialects want an alias for. */
function answerRelation(assembly: Assembly, action: number, named: Named, id: string): WrittenRelation {
  const question = questionNamed(assembly, action, id);
  const exposed = named.alias ?? id;
  const qualifier = writeOwnName(exposed, assembly.dialect);
  const scope = {
    names: [(quotedNameOf(exposed, assembly.dialect) ?? exposed).toLowerCase(), `$${id}`.toLowerCase()],
    qualifier,
    relation: undefined,
  };
  if (question === undefined) return { piece: concat(''), scope };
  const isRows = question.use === 'rows';
  const relation = isRows
    ? markedAs(question.action, writeOwnName(id, assembly.dialect))
    : bracketedAnswer(question, assembly.dialect);
  return { piece: isRows && named.alias === undefined ? relation : concat(relation, ` AS ${qualifier}`), scope };
}

function namedRelation(assembly: Assembly, action: number, { alias }: Named, text: string): WrittenRelation {
  const { dialect, catalog } = assembly;
  const tokens = significantTokens(text, dialect.lexer);
  const parts = dottedName(tokens, assembly);
  const found = relationsNamed(text, assembly);
  const candidates = found.length === 0 && parts !== undefined ? relationsNamed(parts, assembly) : found;
  const relation = candidates.length === 1 ? candidates[0] : undefined;
  const info = relation === undefined ? undefined : catalog?.relations[relation.id];
  const bare = relation?.name ?? parts?.at(-1) ?? text;
  const qualifier = alias === undefined ? quoteIfNeeded(bare, dialect) : writeOwnName(alias, dialect);
  const scope: ScopeRelation = {
    names:
      alias === undefined
        ? [text.toLowerCase(), bare.toLowerCase()]
        : [(quotedNameOf(alias, dialect) ?? alias).toLowerCase()],
    qualifier:
      relation === undefined && alias === undefined
        ? parts === undefined
          ? qualifier
          : (tokens.at(-1)?.text ?? qualifier)
        : qualifier,
    relation: relation?.id,
  };
  const behind = alias === undefined ? '' : ` AS ${qualifier}`;
  if (info !== undefined) return { piece: concat(qualifiedName(info.nameParts, dialect), behind), scope };
  if (parts !== undefined) return { piece: concat(text, behind), scope };
  if (isRowSource(tokens, text, assembly)) {
    const { piece } = writeExpression(assembly, action, 'relation', text, []);
    return { piece: concat(piece, behind), scope };
  }
  if (text.includes('\0')) report(assembly, action, 'relation contains a NUL character.');
  return { piece: concat(text.includes('\0') ? '' : quoteIdentifier(text, dialect), behind), scope };
}

/** `a`, `a.b.c`, each part quoted or not; reserved words need quotes. */
function dottedName(tokens: readonly SqlToken[], { dialect }: Assembly): readonly string[] | undefined {
  const parts: string[] = [];
  for (const [index, token] of tokens.entries()) {
    if (index % 2 === 1) {
      if (!isSymbol(token, '.')) return undefined;
      continue;
    }
    const isReserved = token.kind === 'word' && dialect.identifiers.reservedWords.includes(token.text.toUpperCase());
    const name = token.unterminated === true || isReserved ? undefined : unquotedName(token, dialect.lexer);
    if (name === undefined) return undefined;
    parts.push(name);
  }
  return tokens.length % 2 === 1 ? parts : undefined;
}

function unquotedName(token: SqlToken, traits: Parameters<typeof nameOfToken>[1]): string | undefined {
  if (token.kind === 'word') return token.text;
  return token.kind === 'quotedName' ? nameOfToken(token, traits) : undefined;
}

/** A call (UNNEST, FLATTEN, json_each) or a sub-query in brackets. */
function isRowSource(tokens: readonly SqlToken[], text: string, { dialect }: Assembly): boolean {
  const read = readExpression(text, dialect.lexer);
  if ('fault' in read || !isSymbol(tokens.at(-1), ')')) return false;
  const open = tokens.findIndex((token) => isSymbol(token, '('));
  const head = tokens.slice(0, open);
  let depth = 0;
  const closesEarly = tokens.slice(open, -1).some((token) => {
    if (isSymbol(token, '(')) depth += 1;
    if (isSymbol(token, ')')) depth -= 1;
    return depth === 0;
  });
  return !closesEarly && head.length <= 6 && head.every((token) => token.kind === 'word' || isSymbol(token, '.'));
}
