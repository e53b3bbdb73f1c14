import { type FieldMetadata, type SubmissionResult, useForm } from "@conform-to/react";
import { useLocation, useNavigation } from "@remix-run/react";
import { Lightbulb } from "lucide-react";
import { type ReactNode, type RefObject, useEffect, useRef, useState } from "react";
import { Card } from "#app/ui/seller/card.tsx";
import { FormErrors } from "#app/ui/seller/form/errors.tsx";
import { Form } from "#app/ui/seller/form/form.tsx";
import { openTabOf } from "#app/ui/seller/form/open-tab-of.ts";
import { useStartedOver } from "#app/ui/seller/form/restored-form.tsx";
import { type Conflict, SaveConflict } from "#app/ui/seller/form/save-conflict.tsx";
import { SubmitButton } from "#app/ui/seller/form/submit-button.tsx";
import { FormTabs } from "#app/ui/seller/form/tabs.tsx";
import { useReportUnsaved } from "#app/ui/seller/form/unsaved-work.tsx";
import { Screen } from "#app/ui/seller/frame/screen.tsx";
import { useHydrated } from "#app/ui/seller/hydrated.ts";
import { Outcome } from "#app/ui/seller/outcome.tsx";
import { PreviewFrame, type PreviewWidth } from "#app/ui/seller/preview/frame.tsx";
import { LiveProvider, type RemovedByField, useLivePreview } from "#app/ui/seller/preview/live.ts";

type Settings = Record<string, string | number | boolean>;
/** Settings as loaded, with their version. */
export type LoadedSettings<T extends Settings> = { settings: T; version: number; removed: RemovedByField };
/** The last save's reply; parts without content are null. */
export type SaveReply = {
  result: SubmissionResult | null;
  message: string | null;
  removed: RemovedByField | null;
  conflict: Conflict | null;
  savedVersion: number | null;
};

export type Fields = Record<string, FieldMetadata<string>>;
export type CustomizationTab = { id: string; label: string; fields: string[]; content: ReactNode };

type Props<T extends Settings> = {
  id: string;
  title: string;
  text: string;
  save: string;
  page: string;
  previewTitle: string;
  previewUrl: string;
  loaded: LoadedSettings<T>;
  reply: SaveReply | undefined;
  labels: Record<keyof T, string>;
  tabs: (fields: Fields) => CustomizationTab[];
  tips: string[];
  sideTabs?: boolean;
};

/** A screen for customizing a storefront page: tabs, a live preview and tips. */
export function CustomizationScreen<T extends Settings>(props: Props<T>) {
  const { reply } = props;
  const loaded = useAdopted(props.loaded, props.page, Boolean(reply?.result));
  const filled = `${loaded.version}/${useStartedOver(props.id).over}`;
  const [width, setWidth] = useState<PreviewWidth>("phone");
  const live = useLivePreview(props.previewUrl, reply?.removed ?? loaded.removed);
  const { reset } = live;
  // biome-ignore lint/correctness/useExhaustiveDependencies: a form that was refilled has no unsaved changes.
  useEffect(() => reset(reply?.removed ?? loaded.removed), [reset, filled]);
  const saving = useNavigation().formData !== undefined;
  useReportUnsaved(props.id, live.typed !== null);
  return (
    <Screen
      width="list"
      title={props.title}
      text={props.text}
      save={{
        form: props.id,
        action: props.page,
        label: props.save,
        note: live.typed !== null && !saving && "Alterações não salvas",
      }}
    >
      {reply?.message && <Outcome about={reply} tone="success" text={reply.message} />}
      <div
        className={`grid gap-6 ${width === "phone" ? "xl:grid-cols-[minmax(0,1fr)_23.5rem]" : "xl:grid-cols-[23rem_minmax(0,1fr)]"}`}
      >
        <LiveProvider value={live}>
          <CustomizationForm
            key={filled}
            {...props}
            loaded={loaded}
            side={props.sideTabs === true && width === "phone"}
            formRef={live.form}
            onChange={live.changed}
          />
        </LiveProvider>
        <div className="z-[5] min-w-0 max-xl:sticky max-xl:top-16 max-xl:order-first">
          <div className="xl:sticky xl:top-22">
            <PreviewFrame
              title={props.previewTitle}
              src={props.previewUrl}
              formId={props.id}
              frame={live.frame}
              width={width}
              onWidth={setWidth}
              onLoad={live.show}
              failed={live.failed}
            />
          </div>
        </div>
      </div>
      <Tips tips={props.tips} />
    </Screen>
  );
}

function CustomizationForm<T extends Settings>(
  props: Props<T> & {
    side: boolean;
    formRef: RefObject<HTMLFormElement>;
    onChange: () => void;
  },
) {
  const { loaded, reply } = props;
  const [form, fields] = useForm<Record<string, string>>({
    id: props.id,
    lastResult: reply?.result ?? null,
    defaultValue: Object.fromEntries(
      Object.entries(loaded.settings).map(([name, value]) => [
        name,
        typeof value === "number" ? String(value) : value,
      ]),
    ) as Record<string, string>,
  });
  const posted = reply?.result?.initialValue;
  const hydrated = useHydrated();
  const { search } = useLocation();
  const query = new URLSearchParams(search);
  const tabs = props.tabs(fields as Fields);
  return (
    <Form
      method="post"
      // With the current query: another URL would count as leaving.
      action={props.page + search}
      // Without a script its pictures are sent with it.
      encType={hydrated ? undefined : "multipart/form-data"}
      id={form.id}
      ref={props.formRef}
      noValidate
      // Switching tabs is not a change.
      onInput={(event) => (event.target as HTMLInputElement).name !== "tab" && props.onChange()}
      onClick={openTabOf}
      preventScrollReset
      // What takes the focus is not under the preview, which stays in sight above it.
      className="flex min-w-0 flex-col gap-5 max-xl:[&_[tabindex='-1']]:scroll-mt-64"
    >
      {/* Enter triggers the plain save, whatever other buttons come first. */}
      <button type="submit" tabIndex={-1} aria-hidden="true" className="sr-only">
        {props.save}
      </button>
      {/* A form that was returned still has the version it was filled from. */}
      <input type="hidden" name="version" value={String(posted?.version ?? loaded.version)} />
      <FormErrors errors={form.errors} fields={labelled(fields as Fields, props.labels)} />
      {reply?.conflict && <SaveConflict form={props.id} conflict={reply.conflict} reload={props.page} />}
      <div className="rounded-box border border-base-300 bg-base-100 p-4 sm:p-6">
        <FormTabs
          label={props.title}
          side={props.side}
          opened={String(posted?.tab ?? query.get("tab") ?? "")}
          tabs={tabs.map((tab) => ({
            id: tab.id,
            label: tab.label,
            hasError: tab.fields.some((name) => fields[name]?.errors),
            content: <div className="flex flex-col gap-6">{tab.content}</div>,
          }))}
        />
      </div>
      <div className="sticky bottom-0 z-10 -mx-4 flex flex-wrap items-center justify-end gap-2 border-base-300 border-t bg-base-100 px-4 py-3 sm:mx-0 sm:rounded-box sm:border lg:hidden">
        <SubmitButton className="btn-primary min-w-40" action={props.page}>
          {props.save}
        </SubmitButton>
      </div>
    </Form>
  );
}

function Tips({ tips }: { tips: string[] }) {
  return (
    <Card title="Dicas de conversão" className="mt-6">
      <ul className="grid gap-x-8 gap-y-3 text-sm sm:grid-cols-2">
        {tips.map((tip) => (
          <li key={tip} className="flex items-start gap-2.5">
            <Lightbulb className="mt-0.5 size-4 shrink-0 text-primary" aria-hidden="true" />
            <span>{tip}</span>
          </li>
        ))}
      </ul>
    </Card>
  );
}

/**
 * The settings that the form shows. Newer ones replace them, except after a refusal or an unrelated action (the theme
 * switch reloads every page's data): typed values would be lost, and saving reports the conflict.
 */
function useAdopted<T extends { version: number }>(loaded: T, page: string, refused: boolean): T {
  const navigation = useNavigation();
  const elsewhere = useRef(false);
  const [values, setValues] = useState(loaded);
  if (navigation.state !== "idle") {
    const target = navigation.formAction?.split("?")[0];
    elsewhere.current = target !== undefined && target !== page;
  }
  const adopt = loaded !== values && !elsewhere.current && !refused;
  if (adopt) setValues(loaded);
  return adopt ? loaded : values;
}

function labelled(fields: Fields, labels: Record<string, string>): [FieldMetadata<string>, string][] {
  return Object.entries(labels).map(([name, label]) => [fields[name]!, label]);
}
