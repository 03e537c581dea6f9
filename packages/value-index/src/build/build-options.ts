import {
  type Adapter,
  type AttributeId,
  type CallContext,
  type Catalog,
  checkWhole,
  createCallContext,
  type EmbeddingModel,
} from '@askema/core';
import type { AttributeChoice } from './plan-attributes.ts';
import type { CellLimits } from './read-cells.ts';

export interface BuildProgress {
  /** The attribute that is being read, or was read last. */
  readonly attribute: AttributeId;
  /** Attributes that are done, of `total`. */
  readonly done: number;
  readonly total: number;
  /** Cells read until now. */
  readonly values: number;
  /** By the rows of relations still to be read, at the speed until now; undefined as long as nothing is known. */
  readonly etaMs: number | undefined;
  /** Cells that have a vector, of those that get one; undefined while cells are still read. */
  readonly embedded?: { readonly done: number; readonly total: number } | undefined;
}

export interface BuildValueIndexOptions extends AttributeChoice {
  readonly adapter: Adapter;
  readonly catalog: Catalog;
  /** Of the index file; made where there is none, brought up to date where there is one. */
  readonly path: string;
  /** Reads every attribute again, whether it has changed or not. */
  readonly refresh?: boolean | undefined;
  /** Distinct cells of an attribute. Default 100,000. */
  readonly maxValuesPerAttribute?: number | undefined;
  /** Longer cells are no values that people ask for. Characters; default 200. */
  readonly maxValueLength?: number | undefined;
  /**
   * Bytes to read in this build: what the engine says that it processed, or else the cells. Attributes whose turn does
   * not come are left for the next build. Where the adapter can estimate, no statement that would exceed it is run.
   * Default: no limit.
   */
  readonly maxBytes?: number | undefined;
  /** Rows of each relation to look at, for warehouses; whatever the engine gives first. Default: all. */
  readonly sampleRows?: number | undefined;
  /** For the statement of one attribute. What came until then is kept. Default 120,000. */
  readonly attributeTimeoutMs?: number | undefined;
  /**
   * How to tell that an attribute has changed: `digest` asks the database for count, least, greatest and length of the
   * cells, `row count` compares that of the catalog only. Default `digest`; `row count` with `maxBytes` or
   * `sampleRows`.
   */
  readonly detectChanges?: 'digest' | 'row count' | undefined;
  /** Gives each cell a vector as well; needs the package `sqlite-vec`. */
  readonly embeddings?: EmbeddingModel | undefined;
  /** Default 100,000: all of them are compared with a text that is looked up. */
  readonly maxEmbeddedValues?: number | undefined;
  readonly onProgress?: ((progress: BuildProgress) => void) | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly context?: CallContext | undefined;
}

export interface BuildSettings {
  readonly limits: CellLimits;
  readonly maxBytes: number | undefined;
  readonly timeoutMs: number;
  readonly digest: boolean;
  readonly maxEmbeddedValues: number;
  readonly context: CallContext;
}

/** @throws AskemaError `CONFIG_INVALID` for a limit that is no whole number from 1. */
export function buildSettings(options: BuildValueIndexOptions): BuildSettings {
  const { maxBytes, sampleRows } = options;
  const signals = [options.signal, options.context?.signal].filter((signal) => signal !== undefined);
  const byDefault = maxBytes === undefined && sampleRows === undefined ? 'digest' : 'row count';
  const context = options.context ?? createCallContext({ path: 'value-index' });
  return {
    limits: {
      maxValuesPerAttribute: Math.min(
        checkWhole('maxValuesPerAttribute', options.maxValuesPerAttribute ?? 100_000),
        MAX_VALUES_PER_ATTRIBUTE,
      ),
      maxValueLength: checkWhole('maxValueLength', options.maxValueLength ?? 200),
      sampleRows: sampleRows === undefined ? undefined : checkWhole('sampleRows', sampleRows),
    },
    maxBytes: maxBytes === undefined ? undefined : checkWhole('maxBytes', maxBytes),
    timeoutMs: checkWhole('attributeTimeoutMs', options.attributeTimeoutMs ?? 120_000),
    digest: (options.detectChanges ?? byDefault) === 'digest',
    maxEmbeddedValues: checkWhole('maxEmbeddedValues', options.maxEmbeddedValues ?? 100_000),
    context: signals.length === 0 ? context : { ...context, signal: AbortSignal.any(signals) },
  };
}

/** Ids leave room for so many; see `ID_RANGE`. */
const MAX_VALUES_PER_ATTRIBUTE = 60_000_000;
