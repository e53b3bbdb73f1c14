import type { FieldMetadata } from "@conform-to/react";
import { ImageIcon } from "lucide-react";
import { Picture } from "#app/ui/picture.tsx";
import { Field } from "#app/ui/seller/form/field.tsx";

/** An image's address with the picture it stands for. `shape` is the place it will have. */
export function ImageField(props: {
  field: FieldMetadata<string>;
  label: string;
  hint: string;
  shape: "square" | "banner";
}) {
  const { field, shape } = props;
  const address = isAddress(field.value) ? field.value : null;
  return (
    <div className={`flex gap-4 ${shape === "banner" ? "flex-col-reverse" : "items-start"}`}>
      <div
        className={`overflow-hidden rounded-box border border-base-300 bg-base-200 ${
          shape === "banner" ? "aspect-[4/1] w-full" : "size-20 shrink-0 sm:size-24"
        }`}
      >
        <Picture
          url={address}
          className="size-full object-cover"
          fallback={
            <span className="flex size-full items-center justify-center text-base-content/40">
              <ImageIcon className="size-6" aria-hidden="true" />
            </span>
          }
        />
      </div>
      <Field
        field={field}
        label={props.label}
        optional
        type="url"
        inputMode="url"
        placeholder="https://"
        help={props.hint}
        className="min-w-0 flex-1"
      />
    </div>
  );
}

function isAddress(value: string | undefined): value is string {
  return value !== undefined && /^https?:\/\//i.test(value) && URL.canParse(value);
}
