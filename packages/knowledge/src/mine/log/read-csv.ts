/** Longer cells are cut there: no statement of that length is read. */
const MAX_CELL = 200_000;
const MAX_COLUMNS = 1_000;

/** The records of CSV after RFC 4180: cells in double quotes may hold commas, line ends and doubled quotes. */
export async function* readCsv(chunks: AsyncIterable<string>): AsyncGenerator<readonly string[]> {
  let record: string[] = [];
  let cell = '';
  let state: 'plain' | 'quoted' | 'quote' = 'plain';
  let isStarted = false;
  const add = (text: string): void => {
    if (cell.length < MAX_CELL) cell += text;
  };
  const close = (): void => {
    if (record.length < MAX_COLUMNS) record.push(cell);
    cell = '';
    state = 'plain';
  };
  for await (const chunk of chunks) {
    const finished: (readonly string[])[] = [];
    for (const character of chunk) {
      isStarted = true;
      if (state === 'quoted') {
        if (character === '"') state = 'quote';
        else add(character);
      } else if (character === '"' && (state === 'quote' || cell === '')) {
        if (state === 'quote') add('"');
        state = 'quoted';
      } else if (character === ',') close();
      else if (character === '\n') {
        close();
        finished.push(record);
        record = [];
        isStarted = false;
      } else if (character !== '\r') add(character);
    }
    yield* finished;
  }
  if (!isStarted) return;
  close();
  yield record;
}
