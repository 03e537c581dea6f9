import {
  type Adapter,
  type AdapterSpec,
  AskemaError,
  type AttributeId,
  type CallContext,
  type Catalog,
  indexSchema,
  isAskemaError,
  type NameParts,
  type PlanVerdict,
  QUERY_DEFAULTS,
  qualifiedName,
  quoteIdentifier,
  type RelationId,
  resolveAdapter,
  throwIfAborted,
  type ViewRead,
} from '@askema/core';
import { queryOfView, type SqlParser } from '@askema/sql';
import { checkReads } from './check-reads.ts';
import { checkStatement } from './check-statement.ts';
import { planError, verdictWithoutEngineWords, withoutEngineWords } from './engine-words.ts';
import { isTagPattern, type Partitions } from './patterns.ts';
import {
  type Accounted,
  holdAgainst,
  includedIn,
  isSampled,
  isShown,
  type Restriction,
  type RestrictOptions,
  withoutFields,
} from './restriction.ts';
import { type SharedWork, shareWork } from './share-work.ts';
import { shownDiagnosis } from './shown-diagnosis.ts';

/**
 * An adapter that keeps relations and columns back, around any other. Hidden: neither name nor values are in its
 * catalog, samples, results and errors, and a statement that touches them is refused. Masked: the name and the type are
 * known, the values are not; a masked column may be counted and tested with IS NULL.
 * It reads only, and what the parser cannot fully resolve is refused. Views are hidden unless their definition is known
 * and passes the same check. Give one all patterns: of two around one adapter, the outer one does not hear what the
 * engine says that a statement reads, nor that a view has changed.
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
  const asksForTags = [...(hide ?? []), ...(mask ?? [])].some(isTagPattern);
  let held: SharedWork<Held> | undefined;
  let hasFitted = false;
  const said = (thrown: unknown, restriction?: Restriction, sql?: string) =>
    withoutEngineWords(thrown, { dialect, sql, restriction });
  const planOf = (sql: string, limits: Limits, restriction: Restriction): Promise<PlanVerdict> =>
    inner.planner.check(sql, { ...limits, views: true }).catch((thrown: unknown) => {
      throw said(thrown, restriction, sql);
    });
  const accountFor = async (
    { nameParts, definition }: ViewRead,
    restriction: Restriction,
    context: CallContext,
  ): Promise<Accounted | undefined> => {
    const limits = { timeoutMs: QUERY_DEFAULTS.timeoutMs, context };
    if (definition === undefined) return undefined;
    try {
      const body = queryOfView(definition, dialect.lexer);
      const accounted = await checkStatement(body, { restriction, dialect, parser, signal: context.signal, ...limits });
      const plan = await checkedPlan(body, accounted, restriction, limits);
      // Names in it may mean other relations than in a statement: those of the schema of the view.
      const itself = await planOf(`SELECT * FROM ${qualifiedName(nameParts, dialect)}`, limits, restriction);
      const behind = itself.reads?.filter((read) => !isSameRelation(read.nameParts, nameParts));
      const told = await withViews(plan, accounted, restriction, context);
      checkReads({ ...itself, reads: behind }, told, restriction);
      return [plan, itself].some(({ verdict }) => verdict === 'invalid') ? undefined : accounted;
    } catch (thrown) {
      if (isAskemaError(thrown) && thrown.code === 'QUERY_REFUSED') return undefined;
      throw thrown;
    }
  };
  /** What the engine says of a statement, which reads no more than its text accounts for. */
  const checkedPlan = async (
    sql: string,
    accounted: Accounted,
    restriction: Restriction,
    limits: Limits,
  ): Promise<PlanVerdict> => {
    const plan = await planOf(sql, limits, restriction);
    checkReads(plan, await withViews(plan, accounted, restriction, limits.context), restriction);
    return plan;
  };
  const judged = new WeakMap<Restriction, Map<string, Accounted | undefined>>();
  /** Views may have been replaced since the catalog was read: what they are now passes the same check. */
  const withViews = async (
    { views = [] }: PlanVerdict,
    accounted: Accounted,
    restriction: Restriction,
    context: CallContext,
  ): Promise<Accounted> => {
    const known = judged.get(restriction) ?? new Map<string, Accounted | undefined>();
    judged.set(restriction, known);
    const all = [accounted];
    for (const view of views) {
      if (view.definition === undefined) throw refusedView('the database does not tell the definition of a view in it');
      const key = JSON.stringify([view.nameParts, view.definition]);
      if (!known.has(key)) {
        // One that led to itself would end here.
        known.set(key, undefined);
        known.set(key, await accountFor(view, restriction, context));
      }
      const behind = known.get(key);
      if (behind === undefined) throw refusedView('what a view in it reads may not be read here');
      all.push(behind);
    }
    return {
      relations: new Set(all.flatMap(({ relations }) => [...relations])),
      attributes: new Set(all.flatMap(({ attributes }) => [...attributes])),
    };
  };
  const read = async (context: CallContext): Promise<Held> => {
    const definitions = await definitionsAt(context);
    const catalog = await inner
      .introspect({ context, ...(asksForTags ? { tags: true } : {}) })
      .catch((thrown: unknown) => {
        throw said(thrown);
      });
    const restriction = await holdAgainst(catalog, { hide, mask }, (view, far) => accountFor(view, far, context), {
      partitions: await partitionsOf(catalog, context),
      types: inner.dialect.types,
    });
    // Which documents are looked into, a row-level policy may decide.
    const sampled = Object.entries(restriction.catalog.attributes).flatMap(([id, info]) =>
      isSampled(info) ? [id] : [],
    );
    const kept = await readsKept(sampled, restriction, { timeoutMs: QUERY_DEFAULTS.timeoutMs, context });
    return { restriction: withoutFields(restriction, kept), definitions };
  };
  /** The engine tells them. */
  const partitionsOf = async (catalog: Catalog, context: CallContext): Promise<Partitions> => {
    const found = new Map<RelationId, readonly NameParts[]>();
    for (const [id, { nameParts, partitioning }] of Object.entries(catalog.relations)) {
      if (partitioning?.kind !== 'partition') continue;
      const limits = { timeoutMs: QUERY_DEFAULTS.timeoutMs, context };
      // One that is not planned is not read either.
      const { reads = [] } = await inner.planner
        .check(`SELECT * FROM ${qualifiedName(nameParts, dialect)}`, limits)
        .catch(() => ({}) as Partial<PlanVerdict>);
      found.set(
        id,
        reads.flatMap(({ partition }) => partition ?? []),
      );
    }
    return found;
  };
  /** Changes with the views; undefined where the engine does not tell: servers that are only akin to it lack its tables. */
  const definitionsAt = async (context: CallContext): Promise<string | undefined> => {
    const { definitions } = dialect.probes;
    if (definitions === undefined) return undefined;
    return inner.query(definitions, { context }).then(
      ({ rows }) => JSON.stringify(rows.map((row) => row.map(String))),
      // What a locked database has now is another thing than before, as far as anybody knows.
      (thrown: unknown) =>
        isAskemaError(thrown) && /^QUERY_(?!TIMEOUT)/.test(thrown.code) ? undefined : crypto.randomUUID(),
    );
  };
  const heldOf = async (context: CallContext): Promise<Held> => {
    throwIfAborted(context.signal, 'Reading the catalog');
    if (held !== undefined) return held(context);
    const reading = shareWork(context, readOnce, () => {
      if (held === reading) held = undefined;
    });
    held = reading;
    return reading(context);
  };
  const readOnce = (context: CallContext): Promise<Held> =>
    read(context).then(
      (found) => {
        hasFitted = true;
        return found;
      },
      (thrown: unknown) => {
        held = undefined;
        // The first is for who configures, and names what is hidden; later ones are told to whoever asks.
        if (hasFitted && isAskemaError(thrown) && thrown.code === 'CONFIG_INVALID')
          throw new AskemaError('CONFIG_INVALID', OUTDATED);
        throw thrown;
      },
    );
  /** Read anew where a view has changed since. */
  const restrictionOf = async (context: CallContext): Promise<Restriction> => {
    const before = held;
    const { definitions, restriction } = await heldOf(context);
    if (before === undefined || definitions === (await definitionsAt(context))) return restriction;
    if (held === before) held = undefined;
    return (await heldOf(context)).restriction;
  };
  /** By our parser first, and then by the engine, which says what it reads. */
  const check = async (
    sql: string,
    { timeoutMs, context }: Limits,
  ): Promise<{ readonly verdict: PlanVerdict; readonly restriction: Restriction }> => {
    const restriction = await restrictionOf(context);
    const accounted = await checkStatement(sql, { restriction, dialect, parser, signal: context.signal, timeoutMs });
    const plan = await checkedPlan(sql, accounted, restriction, { timeoutMs, context });
    // Engines estimate by the size of a table, which tells how long hidden values are.
    const { estimatedRows: _rows, estimatedBytes: _bytes, ...unmeasured } = plan;
    const isRestricted = [...accounted.relations].some((id) => restriction.restricted.has(id));
    return { verdict: isRestricted ? unmeasured : plan, restriction };
  };
  /** Attributes of relations that read more than their own rows: those of a policy, a partition made meanwhile. */
  const readsKept = async (ids: readonly AttributeId[], restriction: Restriction, limits: Limits) => {
    const index = indexSchema(restriction.whole);
    const byRelation = Map.groupBy(ids, (id) => index.attribute(id)?.relation ?? '');
    const kept = new Set<AttributeId>();
    for (const [relation, own] of byRelation) {
      const names = own.map((id) => quoteIdentifier(index.attribute(id)?.name ?? '', dialect));
      const { nameParts = { relation } } = restriction.whole.relations[relation] ?? {};
      const sql = `SELECT ${names.join(', ')} FROM ${qualifiedName(nameParts, dialect)}`;
      const behind = restriction.views.get(relation);
      const accounted = {
        relations: new Set([relation, ...(behind?.relations ?? [])]),
        attributes: new Set([...own, ...(behind?.attributes ?? [])]),
      };
      try {
        await checkedPlan(sql, accounted, restriction, limits);
      } catch (thrown) {
        if (!isAskemaError(thrown) || thrown.code !== 'QUERY_REFUSED') throw thrown;
        for (const id of own) kept.add(id);
      }
    }
    return kept;
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
        const { timeoutMs, context } = executing;
        const started = performance.now();
        // What the engine does not plan is not run either: it has not said what it would read.
        const { verdict: plan, restriction } = await check(sql, { timeoutMs, context });
        if (plan.verdict === 'invalid')
          throw said(planError(plan.error ?? { message: 'The statement is not valid.' }), restriction, sql);
        const left = Math.ceil(timeoutMs - (performance.now() - started));
        if (left <= 0) throw new AskemaError('QUERY_TIMEOUT', `The query did not end within ${timeoutMs} ms.`);
        try {
          yield* inner.executor.execute(sql, { ...executing, timeoutMs: left });
        } catch (thrown) {
          const told = said(thrown, restriction, sql);
          const { code, message, details, retryable } = told;
          if (code !== 'QUERY_TIMEOUT') throw told;
          // What the checks took counts as well.
          throw new AskemaError(code, message.replace(`${left} ms`, `${timeoutMs} ms`), { details, retryable });
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
          const { verdict, restriction } = await check(sql, { timeoutMs, context });
          // What it reads is told by names below, some of which are hidden.
          const { reads: _reads, routines: _routines, views: _views, relations, error, ...rest } = verdict;
          return {
            ...rest,
            relations: relations?.filter((name) => isShown(name, restriction)),
            ...(error === undefined ? {} : { error: verdictWithoutEngineWords(error, { dialect, sql, restriction }) }),
          };
        } catch (thrown) {
          if (!isAskemaError(thrown) || thrown.code !== 'QUERY_REFUSED') throw thrown;
          return { verdict: 'invalid', error: { message: thrown.message, details: { code: thrown.code } } };
        }
      },
    },
    async sampleValues(attributes, sampling) {
      const restriction = await restrictionOf(sampling.context);
      const { catalog, masked } = restriction;
      const shown = attributes.filter((id) => id in catalog.attributes && !masked.has(id));
      const kept = await readsKept(shown, restriction, sampling);
      const visible = shown.filter((id) => !kept.has(id));
      return inner.sampleValues(visible, { ...sampling, catalog }).catch((thrown: unknown) => {
        throw said(thrown, restriction);
      });
    },
    async diagnose({ timeoutMs, context }) {
      const restriction = await restrictionOf(context);
      const diagnosis = await inner.diagnose({ timeoutMs, context }).catch((thrown: unknown) => {
        throw said(thrown, restriction);
      });
      return shownDiagnosis(diagnosis, restriction);
    },
    close: () => inner.close(),
  };
  return resolveAdapter(spec);
}

const OUTDATED =
  'The database has changed, and a pattern of `hide` or `mask` names nothing any more. Nothing is run until the patterns fit; whoever sets them sees which one when the database is opened.';

interface Held {
  readonly restriction: Restriction;
  /** What stood for the views before the catalog was read. */
  readonly definitions: string | undefined;
}

function refusedView(why: string): AskemaError {
  return new AskemaError('QUERY_REFUSED', `The statement is not run: ${why} (\`hide\`, \`mask\`).`);
}

/** A view that has rows of its own, for a while or for good, is read itself. */
function isSameRelation(left: NameParts, right: NameParts): boolean {
  return left.relation === right.relation && (left.schema ?? right.schema) === (right.schema ?? left.schema);
}

interface Limits {
  readonly timeoutMs: number;
  readonly context: CallContext;
}
