import { tableFromIPC } from 'apache-arrow';

const DAY_MS = 86_400_000;

/**
 * The rows of an Arrow stream as Snowflake writes them in its JSON results: an array of cells a row, each a text or null. Decimals as digits, dates
 * as days, times as seconds, timestamps as seconds with nanoseconds (and the zone in minutes + 1440), booleans as 1 and 0, bytes as hexadecimal.
 *
 * @param {Buffer} stream
 * @param {readonly { type: string, scale: number | null }[]} rowType the columns as the response describes them
 * @returns {(string | null)[][]}
 */
export function textRows(stream, rowType) {
  if (stream.length === 0) return [];
  const table = tableFromIPC(stream);
  const columns = rowType.map((column, at) => {
    const vector = table.getChildAt(at);
    const write = writerOf(column, vector.type);
    return { vector, write };
  });
  const rows = [];
  for (let row = 0; row < table.numRows; row += 1)
    rows.push(
      columns.map(({ vector, write }) => {
        const value = vector.get(row);
        return value === null ? null : write(value);
      }),
    );
  return rows;
}

function writerOf(column, type) {
  switch (column.type) {
    case 'fixed':
      return type.scale === undefined ? String : (value) => scaled(wideInteger(value), type.scale);
    case 'real':
      return writeReal;
    case 'boolean':
      return (value) => (value ? '1' : '0');
    case 'date':
      return (value) => String(Math.floor(Number(value) / DAY_MS));
    case 'time':
      return (value) => scaled(BigInt(value), 9);
    case 'timestamp_ntz':
    case 'timestamp_ltz':
    case 'timestamp_tz':
      return writeTimestamp;
    case 'binary':
      return (value) => Buffer.from(value).toString('hex').toUpperCase();
    default:
      return String;
  }
}

/** Two's complement in 32-bit words, the least first. */
function wideInteger(words) {
  let value = 0n;
  for (let at = words.length - 1; at >= 0; at -= 1) value = (value << 32n) | BigInt(words[at] >>> 0);
  return BigInt.asIntN(words.length * 32, value);
}

function scaled(value, scale) {
  if (scale === 0) return String(value);
  const digits = String(value < 0n ? -value : value).padStart(scale + 1, '0');
  return `${value < 0n ? '-' : ''}${digits.slice(0, -scale)}.${digits.slice(-scale)}`;
}

function writeReal(value) {
  if (value === Number.POSITIVE_INFINITY) return 'inf';
  if (value === Number.NEGATIVE_INFINITY) return '-inf';
  return Object.is(value, -0) ? '-0' : String(value);
}

/** A NULL is one in each of the parts. */
function writeTimestamp({ epoch, fraction, timezone }) {
  if (epoch === null) return null;
  const text = scaled(BigInt(epoch) * 1_000_000_000n + BigInt(fraction), 9);
  return timezone === undefined ? text : `${text} ${timezone}`;
}
