// bigquery-local writes the rows of a result one INSERT each, 3,000 of them in four seconds. Here they are written together.

const ROW =
  /^INSERT INTO _bq\.job_rows \(project, job_id, row_index, row\) VALUES \(\$1, \$2, \$3::BIGINT, \$4::JSON\)$/u;
const ROWS_AT_ONCE = 1_000;

/** `run` of the connections, as DuckDB has it. */
export function createRowBuffer(run) {
  let rows = [];
  return {
    /** True for the INSERT of one row, which is kept. */
    takes(sql, values) {
      if (!ROW.test(sql) || values?.length !== 4) return false;
      rows.push(values);
      return true;
    },
    /** Before any other statement. */
    async flush(connection) {
      while (rows.length > 0) {
        const part = rows.slice(0, ROWS_AT_ONCE);
        rows = rows.slice(ROWS_AT_ONCE);
        const text = (value) => `'${String(value).replaceAll("'", "''")}'`;
        const tuples = part.map(
          ([project, job, index, row]) => `(${text(project)}, ${text(job)}, ${index}, ${text(row)}::JSON)`,
        );
        await run.call(
          connection,
          `INSERT INTO _bq.job_rows (project, job_id, row_index, row) VALUES ${tuples.join(', ')}`,
        );
      }
    },
  };
}
