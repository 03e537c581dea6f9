/** What is counted, by name. Money is in US dollars. */
export interface Amounts {
  readonly calls: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly costUsd: number;
}

/** The most that may be spent; undefined means no limit. */
export interface AmountLimits {
  readonly maxCalls?: number | undefined;
  readonly maxInputTokens?: number | undefined;
  readonly maxOutputTokens?: number | undefined;
  /** Input and output together. */
  readonly maxTokens?: number | undefined;
  readonly maxCostUsd?: number | undefined;
}

/** A limit that a reservation would break, and the numbers that say why. */
export interface LimitBreach {
  readonly limit: keyof AmountLimits;
  readonly max: number;
  readonly spent: number;
  /** Held for calls that are under way. */
  readonly reserved: number;
  readonly needed: number;
}

/** Money is a sum of fractions: so much more than a limit still counts as the limit. */
const TOLERANCE = 1e-9;

const MEASURES: Readonly<Record<keyof AmountLimits, (amounts: Amounts) => number>> = {
  maxCalls: (amounts) => amounts.calls,
  maxInputTokens: (amounts) => amounts.inputTokens,
  maxOutputTokens: (amounts) => amounts.outputTokens,
  maxTokens: (amounts) => amounts.inputTokens + amounts.outputTokens,
  maxCostUsd: (amounts) => amounts.costUsd,
};

export const NOTHING: Amounts = { calls: 0, inputTokens: 0, outputTokens: 0, costUsd: 0 };

/**
 * Counts what is spent and what is held. Holding comes before spending: as long as nobody settles more than he held, no
 * order of parallel calls goes beyond a limit.
 */
export interface Ledger {
  spent(): Amounts;
  /** Holds the amounts, or says which limit stands against it. */
  hold(amounts: Amounts): { readonly breach: LimitBreach } | { readonly settle: (actual: Amounts) => void };
}

export function createLedger(limits: AmountLimits, initial: Amounts = NOTHING): Ledger {
  let spent = initial;
  const held = new Set<Amounts>();
  return {
    spent: () => spent,
    hold(amounts) {
      const reserved = [...held].reduce(addAmounts, NOTHING);
      const breach = findBreach(limits, spent, reserved, amounts);
      if (breach !== undefined) return { breach };
      const own = { ...amounts };
      held.add(own);
      return {
        settle(actual) {
          if (held.delete(own)) spent = addAmounts(spent, actual);
        },
      };
    },
  };
}

function addAmounts(a: Amounts, b: Amounts): Amounts {
  return {
    calls: a.calls + b.calls,
    inputTokens: a.inputTokens + b.inputTokens,
    outputTokens: a.outputTokens + b.outputTokens,
    costUsd: a.costUsd + b.costUsd,
  };
}

function findBreach(limits: AmountLimits, spent: Amounts, reserved: Amounts, needed: Amounts): LimitBreach | undefined {
  for (const limit of Object.keys(MEASURES) as (keyof AmountLimits)[]) {
    const max = limits[limit];
    const measure = MEASURES[limit];
    if (max === undefined || measure(spent) + measure(reserved) + measure(needed) <= max * (1 + TOLERANCE)) continue;
    return { limit, max, spent: measure(spent), reserved: measure(reserved), needed: measure(needed) };
  }
  return undefined;
}
