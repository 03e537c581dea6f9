/** The parts of BigQuery's REST resources that are read (https://cloud.google.com/bigquery/docs/reference/rest/v2). Numbers of 64 bits are text. */

/** `TableFieldSchema`: a column, or a field of a STRUCT. */
export interface RestField {
  readonly name: string;
  /** `INTEGER` or `INT64`, `FLOAT` or `FLOAT64`, `RECORD` or `STRUCT`, …: both spellings occur. */
  readonly type: string;
  /** `NULLABLE` when left out. */
  readonly mode?: 'NULLABLE' | 'REQUIRED' | 'REPEATED' | string | undefined;
  readonly description?: string | undefined;
  readonly fields?: readonly RestField[] | undefined;
  readonly precision?: string | undefined;
  readonly scale?: string | undefined;
  readonly maxLength?: string | undefined;
  readonly defaultValueExpression?: string | undefined;
  readonly collation?: string | undefined;
  /** `projects/1/locations/eu/taxonomies/2/policyTags/3` */
  readonly policyTags?: { readonly names?: readonly string[] | undefined } | undefined;
  /** Of a RANGE. */
  readonly rangeElementType?: { readonly type: string } | undefined;
  /** Of a TIMESTAMP: `12` for picoseconds, else 6. */
  readonly timestampPrecision?: string | undefined;
}

export interface RestSchema {
  readonly fields?: readonly RestField[] | undefined;
}

/** A row, or a STRUCT: one cell a field. A cell of a REPEATED field holds `{ v }` an element. */
export interface RestRow {
  readonly f?: readonly RestCell[] | undefined;
}

export interface RestCell {
  readonly v?: RestCellValue | undefined;
}

export type RestCellValue = string | boolean | number | null | RestRow | readonly RestCell[];

interface RestDatasetReference {
  readonly projectId: string;
  readonly datasetId: string;
}

interface RestTableReference extends RestDatasetReference {
  readonly tableId: string;
}

/** An entry of `datasets.list`. */
export interface RestDatasetEntry {
  readonly datasetReference: RestDatasetReference;
  readonly location?: string | undefined;
  readonly friendlyName?: string | undefined;
}

/** `datasets.get`. */
export interface RestDataset extends RestDatasetEntry {
  readonly description?: string | undefined;
  readonly type?: string | undefined;
  readonly access?: readonly Readonly<Record<string, unknown>>[] | undefined;
}

/** An entry of `tables.list`. */
export interface RestTableEntry {
  readonly tableReference: RestTableReference;
  /** `TABLE`, `VIEW`, `MATERIALIZED_VIEW`, `EXTERNAL`, `SNAPSHOT`. */
  readonly type?: string | undefined;
  readonly timePartitioning?: RestTimePartitioning | undefined;
  readonly rangePartitioning?: RestRangePartitioning | undefined;
  readonly clustering?: { readonly fields?: readonly string[] | undefined } | undefined;
}

interface RestTimePartitioning {
  readonly type?: string | undefined;
  /** Left out for partitions by time of ingestion. */
  readonly field?: string | undefined;
  readonly requirePartitionFilter?: boolean | undefined;
}

interface RestRangePartitioning {
  readonly field?: string | undefined;
}

/** `tables.get`. */
export interface RestTable extends RestTableEntry {
  readonly labels?: Readonly<Record<string, string>> | undefined;
  readonly description?: string | undefined;
  readonly schema?: RestSchema | undefined;
  readonly numRows?: string | undefined;
  readonly numBytes?: string | undefined;
  readonly requirePartitionFilter?: boolean | undefined;
  readonly view?: { readonly query?: string | undefined; readonly useLegacySql?: boolean | undefined } | undefined;
  readonly materializedView?: { readonly query?: string | undefined } | undefined;
  readonly tableConstraints?:
    | {
        readonly primaryKey?: { readonly columns?: readonly string[] | undefined } | undefined;
        readonly foreignKeys?:
          | readonly {
              readonly name?: string | undefined;
              readonly referencedTable?: RestTableReference | undefined;
              readonly columnReferences?:
                | readonly {
                    readonly referencingColumn?: string | undefined;
                    readonly referencedColumn?: string | undefined;
                  }[]
                | undefined;
            }[]
          | undefined;
      }
    | undefined;
}

export interface RestRoutineReference extends RestDatasetReference {
  readonly routineId: string;
}

/** `routines.get`, as far as it tells what calling it does. */
export interface RestRoutine {
  readonly routineType?: string | undefined;
  readonly language?: string | undefined;
  /** Its code; that of a function in SQL is an expression or a query. */
  readonly definitionBody?: string | undefined;
  readonly remoteFunctionOptions?: Readonly<Record<string, unknown>> | undefined;
}

/** `ErrorProto`: in the body of a failed request, and in the status of a job. */
export interface RestError {
  readonly reason?: string | undefined;
  readonly message?: string | undefined;
  readonly location?: string | undefined;
}

/** `Job`. */
export interface RestJob {
  readonly jobReference?:
    | {
        readonly projectId?: string | undefined;
        readonly jobId?: string | undefined;
        readonly location?: string | undefined;
      }
    | undefined;
  readonly status?:
    | {
        readonly state?: string | undefined;
        readonly errorResult?: RestError | undefined;
        readonly errors?: readonly RestError[] | undefined;
      }
    | undefined;
  readonly configuration?:
    | {
        readonly dryRun?: boolean | undefined;
        readonly labels?: Readonly<Record<string, string>> | undefined;
        readonly query?: { readonly query?: string | undefined } | undefined;
      }
    | undefined;
  readonly statistics?:
    | {
        readonly totalBytesProcessed?: string | undefined;
        readonly query?:
          | {
              readonly statementType?: string | undefined;
              readonly totalBytesProcessed?: string | undefined;
              readonly totalBytesBilled?: string | undefined;
              readonly totalBytesProcessedAccuracy?: string | undefined;
              readonly numDmlAffectedRows?: string | undefined;
              readonly referencedTables?: readonly RestTableReference[] | undefined;
              readonly schema?: RestSchema | undefined;
              readonly cacheHit?: boolean | undefined;
              /** Of a dry run: parameters that the statement has and the request has not. */
              readonly undeclaredQueryParameters?:
                | readonly {
                    readonly name?: string | undefined;
                    readonly parameterType?: { readonly type?: string | undefined } | undefined;
                  }[]
                | undefined;
              /** Persistent functions that the statement calls. */
              readonly referencedRoutines?: readonly RestRoutineReference[] | undefined;
            }
          | undefined;
      }
    | undefined;
  readonly user_email?: string | undefined;
}

/** `jobs.getQueryResults`. */
export interface RestQueryResults {
  readonly jobComplete?: boolean | undefined;
  readonly schema?: RestSchema | undefined;
  readonly rows?: readonly RestRow[] | undefined;
  readonly pageToken?: string | undefined;
  readonly totalRows?: string | undefined;
  readonly totalBytesProcessed?: string | undefined;
  readonly numDmlAffectedRows?: string | undefined;
  readonly errors?: readonly RestError[] | undefined;
}
