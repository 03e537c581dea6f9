/** Names of BigQuery's types (https://cloud.google.com/bigquery/docs/reference/standard-sql/data-types) and of ZetaSQL's type kinds. */
const KINDS = {
  BIGDECIMAL: 'BIGNUMERIC',
  BIGINT: 'INT64',
  BIGNUMERIC: 'BIGNUMERIC',
  BOOL: 'BOOL',
  BOOLEAN: 'BOOL',
  BYTES: 'BYTES',
  DATE: 'DATE',
  DATETIME: 'DATETIME',
  DECIMAL: 'NUMERIC',
  FLOAT64: 'DOUBLE',
  GEOGRAPHY: 'GEOGRAPHY',
  INT64: 'INT64',
  INTEGER: 'INT64',
  INTERVAL: 'INTERVAL',
  JSON: 'JSON',
  NUMERIC: 'NUMERIC',
  STRING: 'STRING',
  TIME: 'TIME',
  TIMESTAMP: 'TIMESTAMP',
};
const NAMES = { BIGNUMERIC: 'BIGNUMERIC', DOUBLE: 'FLOAT64' };

/** `ARRAY<STRUCT<a INT64, b STRING(10)>>` as ZetaSQL's TypeProto. Lengths and scales are read and left out. */
export function typeProto(text) {
  const tokens = text.match(/`(?:\\.|[^`\\])*`|[^\s<>,()`]+|[<>,()]/gu) ?? [];
  let at = 0;
  const expect = (token) => {
    if (tokens[at] !== token)
      throw new Error(`The type ${text} has ${tokens[at] ?? 'its end'} where ${token} belongs.`);
    at += 1;
  };
  const read = () => {
    const name = (tokens[at] ?? '').toUpperCase();
    at += 1;
    if (name === 'ARRAY' || name === 'RANGE') {
      expect('<');
      const element_type = read();
      expect('>');
      return name === 'ARRAY'
        ? { type_kind: 'TYPE_ARRAY', array_type: { element_type } }
        : { type_kind: 'TYPE_RANGE', range_type: { element_type } };
    }
    if (name === 'STRUCT') {
      expect('<');
      const field = [];
      while (tokens[at] !== '>') {
        if (field.length > 0) expect(',');
        // A field without a name is a type alone.
        const named = !['<', '>', ',', '(', undefined].includes(tokens[at + 1]);
        const field_name = named ? unquote(tokens[at]) : '';
        if (named) at += 1;
        field.push({ field_name, field_type: read() });
      }
      expect('>');
      return { type_kind: 'TYPE_STRUCT', struct_type: { field } };
    }
    const kind = KINDS[name];
    if (kind === undefined) throw new Error(`${name === '' ? 'Nothing' : name} is no type: ${text}`);
    if (tokens[at] === '(') {
      while (at < tokens.length && tokens[at] !== ')') at += 1;
      expect(')');
    }
    return { type_kind: `TYPE_${kind}` };
  };
  const type = read();
  if (at < tokens.length) throw new Error(`The type ${text} goes on after its end.`);
  return type;
}

function unquote(name) {
  return name.startsWith('`') ? name.slice(1, -1).replace(/\\(.)/gu, '$1') : name;
}

/** A TypeProto as BigQuery writes it. */
export function typeName({ type_kind: kind, array_type: array, struct_type: struct, range_type: range }) {
  if (kind === 'TYPE_ARRAY') return `ARRAY<${typeName(array.element_type)}>`;
  if (kind === 'TYPE_RANGE') return `RANGE<${typeName(range.element_type)}>`;
  if (kind === 'TYPE_STRUCT') {
    const fields = struct.field.map(({ field_name: name, field_type: type }) => `${name} ${typeName(type)}`.trim());
    return `STRUCT<${fields.join(', ')}>`;
  }
  const name = kind.slice('TYPE_'.length);
  return NAMES[name] ?? name;
}
