import type { SubmissionResult } from "@conform-to/react";
import { Form, type FormProps, useLocation, useNavigation } from "@remix-run/react";
import {
  createContext,
  type FormEvent,
  type MutableRefObject,
  useContext,
  useEffect,
  useRef,
  useState,
} from "react";
import { type Conflict, SaveConflict, type START_OVER } from "#app/ui/seller/form/save-conflict.tsx";
import {
  type IsLeft,
  useBeforePaint,
  useTellUnsaved,
  useUnsaved,
} from "#app/ui/seller/form/unsaved-work.tsx";

/** What a save answered where it did not lead on. */
export type KeptReply = SubmissionResult & { conflict?: Conflict };

/** Whether the last thing that was done on the page was this form's: what it said before is old news. */
const SpokenTo = createContext(true);
export const useSpokenTo = () => useContext(SpokenTo);

type Props = Omit<FormProps, "method" | "id"> & {
  id: string;
  /** Of what the form was filled from; none where nothing is replaced. */
  version?: string | number | undefined;
  /** What its plain save is called, where its page has several. */
  intent?: string;
  /** What the last action said to this form; null where it was about something else, or went well. */
  reply: KeptReply | null;
  /** The page that shows what is saved. */
  reload?: string | undefined;
  /** Told when this form was saved. */
  onSaved?: (() => void) | undefined;
  /** Which ways lead away from it, where that is not every other address. */
  isLeft?: IsLeft | undefined;
  formRef?: MutableRefObject<HTMLFormElement | null>;
};

/**
 * A form of the desk that saves: nothing typed in it is lost by leaving, and it overwrites nothing that somebody saved
 * meanwhile. Give it the key of `useKept`.
 */
export function KeptForm(props: Props) {
  const { id, version, intent, reply, reload, onSaved, isLeft, formRef, children, ...form } = props;
  const element = useRef<HTMLFormElement | null>(null);
  const saved = useRef<string>();
  // What was pressed on when, so that a page painted late is not taken for the answer.
  const sent = useRef<{ content: string; visit: string; reply: KeptReply | null } | null>(null);
  const navigation = useNavigation();
  const { key: visit } = useLocation();
  // One that came back from the server holds what nobody kept, before anything more is typed.
  const [dirty, setDirty] = useState(reply !== null);
  useTellUnsaved(id, dirty, { isLeft });
  useEffect(() => {
    saved.current ??= contentOf(element.current!);
  }, []);
  const look = () => setDirty(saved.current !== undefined && contentOf(element.current!) !== saved.current);
  // Rows that came or went are no input of anybody's.
  const rows = useRef(0);
  useEffect(() => {
    const count = element.current!.elements.length;
    if (rows.current !== 0 && rows.current !== count) look();
    rows.current = count;
  });
  const isIdle = navigation.state === "idle";
  useBeforePaint(() => {
    if (!isIdle || sent.current === null || sent.current.visit === visit) return;
    if (reply !== null && sent.current.reply === reply) return;
    if (reply === null) {
      saved.current = sent.current.content;
      setDirty(false);
      onSaved?.();
    }
    sent.current = null;
  }, [isIdle, visit, reply, onSaved]);
  const posted = reply?.initialValue?.version;
  return (
    <Form
      noValidate
      {...form}
      id={id}
      ref={(box) => {
        element.current = box;
        if (formRef) formRef.current = box;
      }}
      method="post"
      onInput={(event: FormEvent<HTMLFormElement>) => {
        form.onInput?.(event);
        look();
      }}
      onSubmit={(event) => {
        form.onSubmit?.(event);
        const by = (event.nativeEvent as SubmitEvent).submitter as HTMLButtonElement | null;
        const saves = by?.name !== "intent" || by.value === intent;
        const content = contentOf(element.current!);
        sent.current = saves && !event.defaultPrevented ? { content, visit, reply } : null;
      }}
    >
      {/* What Enter presses: the plain save, whatever other buttons stand above. */}
      <button
        type="submit"
        tabIndex={-1}
        aria-hidden="true"
        className="hidden"
        {...(intent ? { name: "intent", value: intent } : {})}
      />
      {intent && <input type="hidden" name="saves" value={intent} />}
      {/* A form that came back still belongs to the version it was filled from. */}
      {version !== undefined && <input type="hidden" name="version" value={String(posted ?? version)} />}
      {reply?.conflict && <SaveConflict conflict={reply.conflict} reload={reload ?? ""} />}
      <SpokenTo.Provider value={reply !== null}>{children}</SpokenTo.Provider>
    </Form>
  );
}

/** What stands in a form's fields; which of its tabs is open is no content, nor is a file that nobody chose. */
function contentOf(form: HTMLFormElement): string {
  const fields = [...new FormData(form)].filter(
    ([name, value]) =>
      !["tab", "version", "saves", "test_email"].includes(name) &&
      (typeof value === "string" || value.name !== ""),
  );
  return JSON.stringify(fields);
}

/**
 * What a form shows of what was loaded, and the key it is filled anew by. Newer data replace what it shows unless something
 * is typed there: saving tells of them.
 */
export function useKept<T extends { version: string | number }>(id: string, loaded: T) {
  const { has } = useUnsaved();
  const { key: visit, state } = useLocation();
  const [shown, setShown] = useState(loaded);
  const [filled, setFilled] = useState(0);
  const over = (state as typeof START_OVER | null)?.startOver ? visit : "";
  const [startedOver, setStartedOver] = useState(over);
  const isAnew = over !== startedOver;
  if (isAnew) setStartedOver(over);
  const isNewer = loaded.version !== shown.version && (isAnew || !has(id));
  if (isNewer) setShown(loaded);
  // What else was loaded is always as it stands.
  const current = isNewer || loaded.version === shown.version ? loaded : shown;
  return {
    shown: current,
    key: `${current.version}/${filled}/${over}`,
    onSaved: () => {
      setShown(loaded);
      setFilled((count) => count + 1);
    },
  };
}
