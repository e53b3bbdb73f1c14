import { z } from "zod";
import { MAX_REMINDERS, REMINDER_CHOICES } from "#app/domain/reminder/schedule/reminder-times.ts";

const choice = z.coerce
  .number()
  .refine(
    (minutes) => REMINDER_CHOICES.some((known) => known.minutes === minutes),
    "Escolha um dos tempos da lista",
  );

/** The reminder times in minutes, empty where a reminder is off. The result is sorted and without duplicates. */
export const remindersForm = z
  .object({
    reminder: z
      .array(z.union([z.literal("").transform(() => null), choice]).optional())
      .max(MAX_REMINDERS, `No máximo ${MAX_REMINDERS} lembretes`)
      .default([]),
  })
  .transform(({ reminder }) => {
    const minutes = reminder.filter((each): each is number => typeof each === "number");
    return [...new Set(minutes)].sort((a, b) => a - b);
  });
