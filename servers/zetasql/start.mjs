// Google's ZetaSQL behind a small JSON API on loopback: POST /analyze { sql, tables, functions?, parameters? }.
import { createServer } from 'node:http';
import { catalogProto } from './catalog-proto.mjs';
import { languageOptions } from './language.mjs';
import { startRemoteServer } from './remote-server.mjs';
import { typeName, typeProto } from './type-proto.mjs';

const KEPT_CATALOGS = 50;

const call = await startRemoteServer();
const language_options = await languageOptions(call);
const catalogs = new Map();

const server = createServer((request, response) => {
  answer(request).then(
    (body) => send(response, 200, body),
    (error) => send(response, 400, { ok: false, error: String(error.message ?? error) }),
  );
});
server.listen(0, '127.0.0.1', () => {
  process.stdout.write(`${JSON.stringify({ url: `http://127.0.0.1:${server.address().port}` })}\n`);
});
process.stdin.resume();
process.stdin.once('close', () => process.exit(0));

function send(response, status, body) {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify(body));
}

async function answer(request) {
  const parts = [];
  for await (const part of request) parts.push(part);
  if (request.method === 'GET' && request.url === '/functions') return functionNames();
  if (request.method !== 'POST' || request.url !== '/analyze') throw new Error(`No ${request.method} ${request.url}.`);
  return analyze(JSON.parse(Buffer.concat(parts).toString('utf8')));
}

/** The names of the functions that this build has, in upper case, with those of operators (`$add`) left out. */
async function functionNames() {
  const { function: functions } = await call('GetBuiltinFunctions', { language_options });
  const names = functions.map(({ name_path }) => name_path.join('.').toUpperCase());
  return [...new Set(names)].filter((name) => !name.includes('$')).sort();
}

/**
 * Gives `{ ok: true, statementKind, columns? }`, the kind as ZetaSQL names it (`query`, `delete`, `create_table_as_select`), or
 * `{ ok: false, error }` with its message. One statement: text that goes on behind a semicolon is an error. With `script`: any number of
 * them, `{ ok: true, statements: [{ statementKind, resolved }] }`.
 */
async function analyze({ sql, tables = [], functions = [], parameters = {}, script = false }) {
  const registered_catalog_id = await catalogOf({ tables, functions });
  const request = {
    registered_catalog_id,
    sql_statement: sql,
    options: {
      language_options,
      error_message_mode: 'ERROR_MESSAGE_ONE_LINE',
      prune_unused_columns: true,
      default_timezone: 'UTC',
      parameter_mode: Array.isArray(parameters) ? 'PARAMETER_POSITIONAL' : 'PARAMETER_NAMED',
      ...(Array.isArray(parameters)
        ? { positional_query_parameters: parameters.map(typeProto) }
        : {
            query_parameters: Object.entries(parameters).map(([name, type]) => ({ name, type: typeProto(type) })),
          }),
    },
  };
  try {
    if (script) return { ok: true, statements: await statementsOf(sql, request) };
    const { resolved_statement: statement } = await call('Analyze', request);
    const [kind, node] = innermost(statement);
    const columns = node.output_column_list?.map(({ name, column }) => ({ name, type: typeName(column.type) }));
    return { ok: true, statementKind: kind, ...(columns === undefined ? {} : { columns }) };
  } catch (error) {
    if (error.details === undefined) throw error;
    return { ok: false, error: error.details };
  }
}

async function statementsOf(sql, { sql_statement, ...request }) {
  const statements = [];
  const bytes = Buffer.byteLength(sql);
  for (let byte_position = 0; byte_position < bytes; ) {
    const parse_resume_location = { input: sql, byte_position, allow_resume: true };
    const { resolved_statement: resolved, resume_byte_position } = await call('Analyze', {
      ...request,
      parse_resume_location,
    });
    statements.push({ statementKind: innermost(resolved)[0], resolved });
    byte_position = resume_byte_position;
  }
  return statements;
}

/** A resolved statement stands in wrappers of its base classes: { resolved_create_statement_node: { resolved_create_table_stmt_node: … } }. */
function innermost(wrapper) {
  const [field] = Object.keys(wrapper).filter((key) => key.endsWith('_node'));
  const node = wrapper[field];
  const deeper = Object.keys(node).some((key) => /^resolved_\w+_(?:stmt|statement|base)_node$/u.test(key));
  return deeper ? innermost(node) : [field.replace(/^resolved_|_stmt_node$|_node$/gu, ''), node];
}

async function catalogOf(declared) {
  const key = JSON.stringify(declared);
  const known = catalogs.get(key);
  if (known !== undefined) return known;
  const registered = call('RegisterCatalog', { simple_catalog: catalogProto(declared, language_options) }).then(
    ({ registered_id }) => registered_id,
  );
  catalogs.set(key, registered);
  if (catalogs.size > KEPT_CATALOGS) {
    const [oldest, id] = catalogs.entries().next().value;
    catalogs.delete(oldest);
    id.then((registered_id) => call('UnregisterCatalog', { registered_id })).catch(() => undefined);
  }
  registered.catch(() => catalogs.delete(key));
  return registered;
}
