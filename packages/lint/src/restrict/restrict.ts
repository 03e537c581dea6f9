import {
  type Adapter,
  type AdapterSpec,
  AskemaError,
  type CallContext,
  isAskemaError,
  resolveAdapter,
} from '@askema/core';
import type { SqlParser } from '@askema/sql';
import { checkStatement } from './check-statement.ts';
import { holdAgainst, includedIn, mentions, type Restriction, type RestrictOptions } from './restriction.ts';

/**
 * An adapter that keeps relations and columns back, around any other. Hidden: neither name nor values are in its
 * catalog, samples, results and errors, and a statement that touches them is refused. Masked: the name and the type are
 * known, the values are not; a masked column may be counted, tested with IS NULL and compared by `=` with a masked one.
 * It reads only, and what the parser cannot fully resolve is refused. Views are hidden unless their definition is known
 * and passes the same check.
 *
 * Whatever stands above works on what is left. Its calls reject with `QUERY_REFUSED`, and with `CONFIG_INVALID` for a
 * pattern that names nothing. Closing it closes the adapter below.
 *
 * @throws AskemaError `CONFIG_INVALID` for an adapter that is none.
 */
export function restrict(
  adapter: AdapterSpec | Adapter,
  options: RestrictOptions & { readonly parser: SqlParser },
): Adapter {
  const inner = resolveAdapter(adapter);
  const { dialect, name, compressor, cteParser } = inner;
  const { parser, hide, mask } = options;
  let held: Promise<Restriction> | undefined;
  const isClean = async (definition: string, restriction: Restriction): Promise<boolean> => {
    try {
      await checkStatement(bodyOf(definition), { restriction, dialect, parser });
      return true;
    } catch (thrown) {
      if (isAskemaError(thrown) && thrown.code === 'QUERY_REFUSED') return false;
      throw thrown;
    }
  };
  const read = async (context: CallContext): Promise<Restriction> =>
    holdAgainst(await inner.introspect({ context }), { hide, mask }, isClean);
  const restrictionOf = (context: CallContext): Promise<Restriction> => {
    held ??= read(context).catch((thrown: unknown) => {
      held = undefined;
      throw thrown;
    });
    return held;
  };
  const check = async (sql: string, context: CallContext): Promise<Restriction> => {
    const restriction = await restrictionOf(context);
    await checkStatement(sql, { restriction, dialect, parser, signal: context.signal });
    return restriction;
  };
  const spec: AdapterSpec = {
    contract: 1,
    dialect,
    name,
    access: 'read',
    ...(compressor === undefined ? {} : { compressor }),
    ...(cteParser === undefined ? {} : { cteParser }),
    executor: {
      async *execute(sql, executing) {
        if (executing.access === 'write')
          throw new AskemaError('QUERY_NOT_READ_ONLY', 'An adapter with `hide` or `mask` reads only.');
        const restriction = await check(sql, executing.context);
        try {
          yield* inner.executor.execute(sql, executing);
        } catch (thrown) {
          throw unsaid(thrown, restriction);
        }
      },
    },
    introspector: {
      async introspect({ include, context }) {
        held = undefined;
        const restriction = await restrictionOf(context);
        return include === undefined ? restriction.catalog : includedIn(restriction, include);
      },
    },
    planner: {
      async check(sql, { timeoutMs, context }) {
        try {
          const restriction = await check(sql, context);
          const verdict = await inner.planner.check(sql, { timeoutMs, context });
          return verdict.error !== undefined && mentions(JSON.stringify(verdict.error), restriction.secretNames)
            ? { verdict: verdict.verdict, error: { message: KEPT_BACK } }
            : verdict;
        } catch (thrown) {
          if (!isAskemaError(thrown) || thrown.code !== 'QUERY_REFUSED') throw thrown;
          return { verdict: 'invalid', error: { message: thrown.message } };
        }
      },
    },
    async sampleValues(attributes, sampling) {
      const { catalog, masked } = await restrictionOf(sampling.context);
      const visible = attributes.filter((id) => id in catalog.attributes && !masked.has(id));
      return inner.sampleValues(visible, { ...sampling, catalog });
    },
    async diagnose({ timeoutMs, context }) {
      const restriction = await restrictionOf(context);
      const diagnosis = await inner.diagnose({ timeoutMs, context });
      return {
        ...diagnosis,
        findings: [
          ...diagnosis.findings.filter((finding) => !mentions(JSON.stringify(finding), restriction.secretNames)),
          { severity: 'info', code: 'kept-back', message: describe(restriction) },
        ],
      };
    },
    close: () => inner.close(),
  };
  return resolveAdapter(spec);
}

function describe({ hiddenRelations, hidden, masked, whole }: Restriction): string {
  const columns = whole.schema.attributes.filter(
    ({ id, relation }) => hidden.has(id) && !hiddenRelations.has(relation),
  );
  return `Kept back by \`hide\` and \`mask\`: ${hiddenRelations.size} relations and ${columns.length} further columns are hidden, ${masked.size} columns are masked.`;
}

const KEPT_BACK = 'The database refused the statement; its message names something that is hidden.';

/** Engines name what is near: "did you mean column ssn?". */
function unsaid(thrown: unknown, { secretNames }: Restriction): unknown {
  if (!isAskemaError(thrown)) return thrown;
  if (!mentions(JSON.stringify(thrown.toJSON()), secretNames) && !mentions(String(thrown.cause ?? ''), secretNames))
    return thrown;
  const { errorClass, vendorCode } = thrown.details;
  return new AskemaError(thrown.code, KEPT_BACK, { details: { errorClass, vendorCode }, retryable: thrown.retryable });
}

/** The query of a view: what stands behind `AS`, where the whole statement is stored. */
function bodyOf(definition: string): string {
  const text = definition.trim().replace(/;\s*$/, '');
  return /^create\b/i.test(text) ? text.replace(/^create\b[\s\S]*?\bas\b/i, '') : text;
}
