import type { MessageCreateParamsNonStreaming, Tool, ToolChoice } from '@anthropic-ai/sdk/resources/messages';
import { type ModelRequest, mergeBody } from '@askema/core';
import type { AnthropicSettings } from '../anthropic-settings.ts';
import { messageParams, systemBlocks } from './message-params.ts';
import { asksToThink, canForceTools, type OutputPlan, outputPlan } from './output-plan.ts';

/** The SDK's types no longer have the sampling settings, which older models still take. */
type Body = MessageCreateParamsNonStreaming & { temperature?: number; top_p?: number };

/** A request as the messages API takes it, how its answer gets into a schema, and what was left out. */
export function messageRequest(
  request: ModelRequest,
  settings: AnthropicSettings,
): { readonly body: Body; readonly plan: OutputPlan; readonly warnings: readonly string[] } {
  const plan = outputPlan(request, settings);
  const sampling = samplingSettings(request, settings);
  const choice = toolChoice(request, settings, plan);
  const system = [
    ...systemBlocks(request.messages),
    ...(plan.way === 'instructions' ? [{ type: 'text' as const, text: plan.text }] : []),
  ];
  const tools = toolsOf(request, plan);
  const body: Body = {
    model: settings.model,
    max_tokens: request.maxOutputTokens ?? settings.maxOutputTokens,
    ...(system.length > 0 ? { system } : {}),
    messages: messageParams(request.messages, settings),
    ...(tools.length > 0 ? { tools } : {}),
    ...choice.body,
    ...(plan.way === 'native'
      ? { output_config: { format: { type: 'json_schema', schema: { ...plan.schema } } } }
      : {}),
    ...sampling.body,
    ...(request.stop?.length ? { stop_sequences: [...request.stop] } : {}),
  };
  return {
    body: mergeBody(body, request.providerOptions?.[settings.provider]),
    plan,
    warnings: [
      ...sampling.warnings,
      ...choice.warnings,
      ...(request.seed === undefined ? [] : ['seed was not sent: the messages API has none.']),
    ],
  };
}

function samplingSettings(
  request: ModelRequest,
  settings: AnthropicSettings,
): { readonly body: Pick<Body, 'temperature' | 'top_p'>; readonly warnings: readonly string[] } {
  const wanted = {
    ...(request.temperature === undefined ? {} : { temperature: request.temperature }),
    ...(request.topP === undefined ? {} : { top_p: request.topP }),
  };
  if (settings.traits.sampling === 'none' || asksToThink(request, settings)) {
    const reason = settings.traits.sampling === 'none' ? `${settings.model} takes none` : 'not together with thinking';
    return { body: {}, warnings: Object.keys(wanted).map((field) => `${field} was not sent: ${reason}.`) };
  }
  if (settings.traits.sampling === 'one' && wanted.temperature !== undefined && wanted.top_p !== undefined)
    return {
      body: { temperature: wanted.temperature },
      warnings: [`top_p was not sent: ${settings.model} takes it only without temperature.`],
    };
  return { body: wanted, warnings: [] };
}

function toolsOf(request: ModelRequest, plan: OutputPlan): Tool[] {
  const tools = (request.tools ?? []).map(
    ({ name, description, parameters }): Tool => ({
      name,
      description,
      input_schema: { ...parameters, type: 'object' },
    }),
  );
  if (plan.way !== 'tool') return tools;
  const description = 'Gives the answer. Call it once, when the answer is complete.';
  return [...tools, { name: plan.tool, description, input_schema: { ...plan.schema, type: 'object' } }];
}

function toolChoice(
  request: ModelRequest,
  settings: AnthropicSettings,
  plan: OutputPlan,
): { readonly body: { tool_choice?: ToolChoice }; readonly warnings: readonly string[] } {
  const choice = request.tools?.length ? request.toolChoice : undefined;
  // The caller's tools may be called first; the answer has to come by a tool in any case.
  if (plan.way === 'tool')
    return {
      body: {
        tool_choice: !request.tools?.length || choice === 'none' ? { type: 'tool', name: plan.tool } : { type: 'any' },
      },
      warnings: [],
    };
  if (choice === undefined || choice === 'auto') return { body: {}, warnings: [] };
  if (choice === 'none') return { body: { tool_choice: { type: 'none' } }, warnings: [] };
  if (!canForceTools(request, settings))
    return {
      body: {},
      warnings: [`tool_choice was not sent: ${settings.model} cannot be forced to call a tool here.`],
    };
  return {
    body: { tool_choice: choice === 'required' ? { type: 'any' } : { type: 'tool', name: choice.name } },
    warnings: [],
  };
}
