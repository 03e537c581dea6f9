const COUNTS = { input_tokens: 1, output_tokens: 1 };

/**
 * A `fetch` that gives messages without counts some: Anthropic always counts, and its SDK refuses messages that lack
 * them, but the loopback server of the testkit leaves out what a case does not name.
 */
export const countingFetch: typeof fetch = async (input, init) => {
  const response = await fetch(input, init);
  if (!response.ok || response.body === null) return response;
  let rest = '';
  const lines = new TransformStream<string, string>({
    transform(piece, controller) {
      const whole = (rest + piece).split('\n');
      rest = whole.pop() ?? '';
      for (const line of whole) controller.enqueue(`${counted(line)}\n`);
    },
    flush: (controller) => controller.enqueue(counted(rest)),
  });
  const body = response.body
    .pipeThrough(new TextDecoderStream())
    .pipeThrough(lines)
    .pipeThrough(new TextEncoderStream());
  return new Response(body, { status: response.status, headers: response.headers });
};

/** A line of a stream, or a body. */
function counted(line: string): string {
  const [, before = '', json = ''] = /^(data: )?(\{.*\})$/.exec(line) ?? [];
  if (json === '') return line;
  const body = parsed(json);
  if (body?.type === 'message') return before + JSON.stringify({ usage: COUNTS, ...body });
  if (body?.type === 'message_start')
    return before + JSON.stringify({ ...body, message: { usage: COUNTS, ...(body.message as object) } });
  if (body?.type === 'message_delta') return before + JSON.stringify({ usage: { output_tokens: 1 }, ...body });
  return line;
}

function parsed(json: string): Readonly<Record<string, unknown>> | undefined {
  try {
    return JSON.parse(json) as Readonly<Record<string, unknown>>;
  } catch {
    return undefined;
  }
}
