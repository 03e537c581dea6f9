import { AskemaError } from '@askema/core';
import { z } from 'zod';
import {
  type AgentToolsOptions,
  agentCalls,
  type ModelOutput,
  replySchema,
  toolsByName,
} from '../agents/agent-options.ts';
import { type AskedBack, askedBackBy, askedBackSchema } from '../agents/asked-back.ts';
import { stepsOfCall, type ToolStep } from '../agents/steps-of-call.ts';
import type { Tool, ToolName, ToolReply } from '../contract.ts';
import { withData } from '../reply/data-block.ts';
import { type ToolDefinition, toolDefinition } from '../tool-definitions.ts';

/** Versions of Mastra that do not keep what a tool was suspended with need `resume`. */
const answerSchema = z.object({ choice: z.string(), resume: z.string().optional() });

type Answer = z.infer<typeof answerSchema>;

/** What is used of the context of a run that can wait. */
interface Suspension {
  readonly suspend: (asked: AskedBack) => Promise<unknown>;
  readonly resumeData?: Answer | undefined;
  readonly suspendPayload?: AskedBack | undefined;
}

/** What is used of the context of a call. */
export interface MastraContext {
  readonly abortSignal?: AbortSignal | undefined;
  readonly requestContext?: { get(key: string): unknown } | undefined;
  readonly writer?: { write(step: ToolStep): Promise<unknown> } | undefined;
  readonly mastra?: { getStorage(): unknown } | undefined;
  readonly agent?: Suspension | undefined;
  readonly workflow?: Suspension | undefined;
}

/** What `createTool` gets. */
export interface MastraToolOptions {
  readonly id: ToolName;
  readonly description: string;
  readonly inputSchema: Tool['input'];
  /** Of a {@link ToolReply}. */
  readonly outputSchema: z.ZodType<ToolReply<unknown>>;
  readonly suspendSchema: z.ZodType<AskedBack>;
  readonly resumeSchema: z.ZodType<Answer>;
  readonly mcp: { readonly annotations: ToolDefinition['annotations'] & { readonly title: string } };
  execute(input: unknown, context: MastraContext): Promise<ToolReply<unknown> | undefined>;
  toModelOutput(reply: unknown): ModelOutput;
}

export interface MastraToolsOptions<Made> extends Omit<AgentToolsOptions, 'tenant'> {
  /** That of @mastra/core/tools. */
  readonly createTool: (options: MastraToolOptions) => Made;
  /**
   * Or how it is read from the request context of a call. Where it gives none the call fails with `CALLER_UNKNOWN`. Clients
   * of Mastra's server may send values of that context: read one that your middleware sets.
   */
  readonly tenant?: string | ((requestContext: MastraContext['requestContext']) => string | undefined) | undefined;
}

/**
 * Tools for agents and workflows of Mastra, by their names.
 *
 * ```ts
 * const tools = toMastraTools(askemaTools({ databases: { shop: { text2sql, adapter } } }), { createTool });
 * const agent = new Agent({ id: 'analyst', name: 'Analyst', instructions, model, tools });
 * ```
 *
 * A question that is asked back suspends the run with an {@link AskedBack}; `{ choice }`, the id of a choice or words,
 * resumes it; before @mastra/core 1.68 `{ choice, resume }` does. Where Mastra has no storage, no run can be resumed, and
 * the question is a reply. The signal of a call stops model calls and the statement on the server. Errors are replies, so
 * that the model reads them and can mend its call.
 *
 * @throws AskemaError `CONFIG_INVALID` for `modelCharacters` out of range
 */
export function toMastraTools<Made>(
  tools: readonly Tool[],
  { createTool, tenant, ...options }: MastraToolsOptions<Made>,
): Readonly<Record<ToolName, Made>> {
  const { context: given, forModel, modelOutput } = agentCalls(options);
  return toolsByName(tools, (tool) => {
    const { title, description, annotations } = toolDefinition(tool);
    return createTool({
      id: tool.name,
      description,
      inputSchema: tool.input,
      outputSchema: replySchema,
      suspendSchema: askedBackSchema,
      resumeSchema: answerSchema,
      mcp: { annotations: { title, ...annotations } },
      async execute(input, context) {
        const { agent, workflow, abortSignal: signal, requestContext } = context;
        const run = agent ?? workflow;
        const caller = typeof tenant === 'function' ? tenantOf(tenant(requestContext)) : tenant;
        const steps = stepsOfCall(tool, answered(run) ?? input, { ...given, tenant: caller, signal });
        const reply = await written(steps, context.writer);
        const asked = context.mastra?.getStorage() === undefined ? undefined : askedBackBy(reply);
        if (asked === undefined || run === undefined) return reply;
        await run.suspend(asked);
        return undefined;
      },
      toModelOutput(reply) {
        // Mastra says itself what is wrong with an input that does not fit, and repeats it.
        const said = () =>
          withData('Error.', 'error', (messageSchema.safeParse(reply).data?.message ?? '').split('\n'));
        return modelOutput(reply) ?? { type: 'error-text', value: forModel(said()) };
      },
    });
  });
}

const messageSchema = z.object({ message: z.string() });

/** Nobody asks for no tenant where each call has one. */
function tenantOf(given: unknown): string {
  if (typeof given === 'string' && given !== '') return given;
  throw new AskemaError('CALLER_UNKNOWN', 'The request names no tenant: set it where you check who calls.');
}

/** The input that answers what the run was suspended for. Both come from elsewhere: a client, a storage. */
function answered({ resumeData, suspendPayload }: Partial<Suspension> = {}): object | undefined {
  const answer = answerSchema.safeParse(resumeData);
  if (!answer.success) return undefined;
  const { choice, resume } = answer.data;
  const asked = askedBackSchema.safeParse(suspendPayload);
  return { answers: { resume: asked.success ? asked.data.resume : resume, choice } };
}

/** Writes each step, and gives the reply. A stream that takes no more steps ends the call. */
async function written(
  steps: ReturnType<typeof stepsOfCall>,
  writer: MastraContext['writer'],
): Promise<ToolReply<unknown>> {
  let next = await steps.next();
  while (next.done !== true) {
    const wrote = Promise.resolve(writer?.write(next.value));
    next = await wrote.then(
      () => steps.next(),
      (error: unknown) => steps.throw(error),
    );
  }
  return next.value;
}
