import type { BackupSchedule } from "@tessera-board/sdk";
import { useState } from "react";
import { Button } from "../../ui/controls/button.tsx";
import { Panel } from "../../ui/floating/panel.tsx";
import { Select, TextField } from "../../ui/controls/text-field.tsx";
import { formatRelativeTime, formatDateTime } from "../../ui/time/format-time.ts";
import { showToast } from "../../ui/toasts.ts";
import { useUpdateBackupSchedule } from "../../api/settings.ts";
import { Form, useForm } from "../parts/form.tsx";
import { validateFields } from "../parts/form-errors.ts";
import { formatHour, parseKeepCount } from "./format.ts";

const LABELS = { every: "How often", hour: "The time", keep: "The number" };
const INTERVALS = [
  ["off", "Never"],
  ["day", "Every day"],
  ["week", "Every week"],
] as const;
const HOURS = Array.from({ length: 24 }, (_, hour) => hour);

/** The schedule of backups and how many are kept. `isFixed` shows it read-only. */
export function ScheduleForm({ schedule, isFixed }: { readonly schedule: BackupSchedule; readonly isFixed: boolean }) {
  return (
    <Panel title="Schedule" description={<NextTime schedule={schedule} />}>
      {isFixed ? (
        <p>
          {schedule.every === "off"
            ? "No backups are scheduled."
            : `${getIntervalName(schedule.every)} at ${formatHour(schedule.hour)}. The newest ${schedule.keep} are kept.`}
        </p>
      ) : (
        <Fields schedule={schedule} />
      )}
    </Panel>
  );
}

const getIntervalName = (every: string): string => INTERVALS.find(([id]) => id === every)?.[1] ?? every;

function NextTime({ schedule: { nextAt } }: { readonly schedule: BackupSchedule }) {
  if (nextAt === null) return "No backup is scheduled.";
  const isDue = Date.parse(nextAt) <= Date.now();
  return (
    <>
      Next backup: <time dateTime={nextAt}>{formatDateTime(nextAt)}</time>
      {isDue ? ", due now." : ` (${formatRelativeTime(nextAt)}).`}
    </>
  );
}

type Values = { readonly every: string; readonly hour: number; readonly keep: string };

function Fields({ schedule }: { readonly schedule: BackupSchedule }) {
  const saved: Values = { every: schedule.every, hour: schedule.hour, keep: String(schedule.keep) };
  // Unsaved changes; fields that equal the server's are absent.
  const [changes, setChanges] = useState<Partial<Values>>({});
  const values = { ...saved, ...changes };
  const isSame = values.every === saved.every && values.hour === saved.hour && values.keep === saved.keep;
  const update = useUpdateBackupSchedule();
  const form = useForm(LABELS, async () => {
    const keep = parseKeepCount(values.keep);
    validateFields({ keep: Number.isNaN(keep) && "Enter a whole number from 1 to 60." });
    const { nextAt } = await update.mutateAsync({ every: values.every, hour: values.hour, keep });
    setChanges({});
    showToast({
      text: nextAt === null ? "Saved. No backup is scheduled." : `Saved. The next backup is ${formatRelativeTime(nextAt)}.`,
      kind: "good",
    });
  });
  return (
    <Form form={form}>
      <ScheduleFields values={values} onChange={(next) => setChanges((before) => ({ ...before, ...next }))} errors={form.errors.fields} />
      <div className="flex flex-wrap gap-2">
        <Button variant="primary" type="submit" isBusy={form.isBusy} disabled={isSame}>
          Save
        </Button>
        {!isSame && (
          <Button variant="quiet" onClick={() => setChanges({})}>
            Discard
          </Button>
        )}
      </div>
    </Form>
  );
}

type ScheduleFieldsProps = {
  readonly values: Values;
  readonly onChange: (next: Partial<Values>) => void;
  readonly errors: Readonly<Record<string, string>>;
};

function ScheduleFields({ values: { every, hour, keep }, onChange, errors }: ScheduleFieldsProps) {
  return (
    <div className="grid items-start gap-4 sm:grid-cols-2 lg:grid-cols-3">
      <Select label="Back up" value={every} onChange={(event) => onChange({ every: event.target.value })} error={errors["every"]}>
        {INTERVALS.map(([id, name]) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </Select>
      {every !== "off" && (
        <Select
          label="Time"
          value={hour}
          onChange={(event) => onChange({ hour: Number(event.target.value) })}
          error={errors["hour"]}
          hint={every === "week" ? "The first backup is made at the next occurrence of this time, the others every 7 days." : undefined}
        >
          {HOURS.map((one) => (
            <option key={one} value={one}>
              {formatHour(one)}
            </option>
          ))}
        </Select>
      )}
      <TextField
        label="Backups to keep"
        inputMode="numeric"
        value={keep}
        onChange={(event) => onChange({ keep: event.target.value })}
        error={errors["keep"]}
        hint="Older backups are removed after each successful backup."
        autoComplete="off"
      />
    </div>
  );
}
