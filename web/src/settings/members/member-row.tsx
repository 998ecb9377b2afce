import type { Member, Role } from "@tessera-board/sdk";
import { IconButton } from "../../ui/controls/icon-button.tsx";
import { MoreIcon, TrashIcon } from "../../ui/icons/icons.ts";
import { Menu, MenuItem, MenuLabel, MenuSeparator } from "../../ui/floating/menu.tsx";
import { formatDateTime } from "../../ui/time/format-time.ts";
import { Badge } from "../parts/badge.tsx";
import { ListItem } from "../parts/list.tsx";
import { ROLE_CHOICES, getRoleName } from "./roles.ts";
import { RelativeTime } from "../../ui/time/relative-time.tsx";

export type MemberRowProps = {
  readonly member: Member;
  readonly me: { readonly id: string; readonly isOwner: boolean };
  readonly onRole: (role: Role) => void;
  readonly onRemove: () => void;
};

/** A member. Owners change roles; admins remove everybody except owners. */
export function MemberRow({ member, me, onRole, onRemove }: MemberRowProps) {
  const { email, role, lastSeenAt, createdAt } = member;
  return (
    <ListItem
      title={email}
      badges={
        <>
          <Badge tone={role === "owner" ? "accent" : "plain"}>{getRoleName(role)}</Badge>
          {member.id === me.id && <Badge>You</Badge>}
        </>
      }
      details={
        <>
          <span title={lastSeenAt === null ? undefined : formatDateTime(lastSeenAt)}>
            {lastSeenAt === null ? (
              "Never logged in"
            ) : (
              <>
                Last active <RelativeTime at={lastSeenAt} />
              </>
            )}
          </span>
          <span title={formatDateTime(createdAt)}>
            Joined <RelativeTime at={createdAt} />
          </span>
        </>
      }
      actions={(me.isOwner || role !== "owner") && <MemberMenu {...{ member, me, onRole, onRemove }} />}
    />
  );
}

function MemberMenu({ member: { id: memberId, email, role }, me, onRole, onRemove }: MemberRowProps) {
  return (
    <Menu
      trigger={
        <IconButton label={`Actions for ${email}`} hasTooltip={false}>
          <MoreIcon />
        </IconButton>
      }
    >
      {me.isOwner && (
        <>
          <MenuLabel>Role</MenuLabel>
          {ROLE_CHOICES.map(({ id, name }) => (
            <MenuItem key={id} isChosen={role === id} onSelect={() => role !== id && onRole(id)}>
              {name}
            </MenuItem>
          ))}
          <MenuSeparator />
        </>
      )}
      <MenuItem icon={<TrashIcon />} isDanger onSelect={onRemove}>
        {memberId === me.id ? "Leave…" : "Remove…"}
      </MenuItem>
    </Menu>
  );
}
