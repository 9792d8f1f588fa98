(** The Last Supper needs 15 moves: a proof that Coq checks.

    Peg solitaire on 37 holes. A peg jumps over a neighbour, in a row or a column, into the empty hole behind it; the
    peg jumped over is taken off. A move is one or more jumps in a row by one peg. At the start all holes but the
    central one are full; at the end there are pegs in the centre and in the twelve corners, and nowhere else.

    [last_supper_15]: there is a game of 15 moves, and no game has fewer. Nothing is assumed, neither symmetries nor
    bounds: all positions after up to 8 moves, and all from which up to 5 moves lead to the goal, are made by a program
    that is proved here, and no move joins them. What has to be read to trust the statement is
    the part "The game". *)

From Coq Require Import Arith Bool List Lia NArith.
Import ListNotations.
Open Scope N_scope.

(** * The game *)

(** Rows and columns are numbered from 0 to 6; a hole is less than five steps from the centre. *)
Definition distance (a b : nat) : nat := (a - b) + (b - a).
Definition is_hole (cell : nat * nat) : bool :=
  let (row, column) := cell in
  ((row <? 7) && (column <? 7) && (distance row 3 + distance column 3 <=? 4))%nat.

(** Holes are numbered from 0, column by column, each from top to bottom. *)
Definition cells : list (nat * nat) := list_prod (seq 0 7) (seq 0 7).
Definition holes : list (nat * nat) :=
  filter is_hole (map (fun cell => (snd cell, fst cell)) cells).

Definition same (a b : nat * nat) : bool := ((fst a =? fst b) && (snd a =? snd b))%nat.
Fixpoint number_in (some : list (nat * nat)) (cell : nat * nat) : nat :=
  match some with
  | [] => 0
  | first :: others => if same first cell then 0 else S (number_in others cell)
  end.
Definition number (cell : nat * nat) : N := N.of_nat (number_in holes cell).

(** Three holes in a row or a column: where a peg jumps from, the hole jumped over, where the peg lands. *)
Definition both_ways (a b c : nat * nat) : list (N * N * N) :=
  if is_hole a && is_hole b && is_hole c
  then [(number a, number b, number c); (number c, number b, number a)]
  else [].
Definition lines : list (N * N * N) :=
  flat_map
    (fun cell : nat * nat =>
       let (row, column) := cell in
       both_ways cell (S row, column) (S (S row), column) ++
       both_ways cell (row, S column) (row, S (S column)))
    holes.

(** A position is a number: its bit i is set where the i-th hole has a peg. *)
Definition position := N.
Definition peg (p : position) (hole : N) : bool := N.testbit p hole.

(** A jump changes these three holes and no other. *)
Definition jump (p : position) (from over to : N) (q : position) : Prop :=
  In (from, over, to) lines /\
  peg p from = true /\ peg p over = true /\ peg p to = false /\
  forall hole, peg q hole = if (hole =? from) || (hole =? over) || (hole =? to) then negb (peg p hole) else peg p hole.

(** One or more jumps in a row by the peg in [from], which ends in [to]. *)
Inductive jumps : position -> N -> position -> N -> Prop :=
| one_jump : forall p from over to q, jump p from over to q -> jumps p from q to
| more_jumps : forall p from over stop q to r, jump p from over stop q -> jumps q stop r to -> jumps p from r to.

Definition move (p q : position) : Prop := exists from to, jumps p from q to.

Inductive game : nat -> position -> position -> Prop :=
| no_move : forall p, game 0 p p
| first_move : forall n p q r, move p q -> game n q r -> game (S n) p r.

Definition pegs_in (some : list N) : position := fold_right (fun hole p => N.setbit p (hole - 1)) 0 some.

(** Numbered from 1, as the source has it, the centre is 19. *)
Definition goal : position := pegs_in [1; 3; 4; 8; 9; 15; 19; 23; 29; 30; 34; 35; 37].
Definition start : position := N.clearbit (N.ones 37) (19 - 1).

(** * Sets of positions *)

Definition all_holes : list N := Eval vm_compute in map N.of_nat (seq 0 37).

(** What a position has in each hole, in the order of the holes. *)
Definition view := list bool.
Definition view_of (p : position) : view := map (peg p) all_holes.

(** A set branches at each hole by what is there. [Full] stands for all views that can follow, so where a program gives
    up, it may say [Full]: a set that has too much proves less, and nothing wrong. *)
Inductive set := Empty | Full | Node (empty_hole peg_there : set).

Fixpoint has (s : set) (v : view) : bool :=
  match s, v with
  | Empty, _ => false
  | Full, _ => true
  | Node empty_hole peg_there, b :: others => has (if b then peg_there else empty_hole) others
  | Node _ _, [] => false
  end.

Fixpoint alone (v : view) : set :=
  match v with
  | [] => Full
  | b :: others => if b then Node Empty (alone others) else Node (alone others) Empty
  end.

Fixpoint union (s r : set) : set :=
  match s, r with
  | Empty, _ => r
  | _, Empty => s
  | Node s0 s1, Node r0 r1 => Node (union s0 r0) (union s1 r1)
  | _, _ => Full
  end.

Definition node (empty_hole peg_there : set) : set :=
  match empty_hole, peg_there with Empty, Empty => Empty | _, _ => Node empty_hole peg_there end.

(** What two sets have in common. *)
Fixpoint shared (s r : set) : set :=
  match s, r with
  | Empty, _ | _, Empty => Empty
  | Full, _ => r
  | _, Full => s
  | Node s0 s1, Node r0 r1 => node (shared s0 r0) (shared s1 r1)
  end.

Lemma alone_has_it : forall v, has (alone v) v = true.
Proof. induction v as [| [] v again]; cbn; auto. Qed.

Lemma union_has_both : forall s r v, has s v = true \/ has r v = true -> has (union s r) v = true.
Proof.
  induction s as [| | s0 again0 s1 again1]; intros [| | r0 r1] [| b v] [here | here]; cbn in *; auto; try discriminate;
    destruct b; auto.
Qed.

Lemma node_has_both : forall s0 s1 v, has (Node s0 s1) v = true -> has (node s0 s1) v = true.
Proof. intros [] [] [| [] v] here; cbn in *; auto. Qed.

Lemma shared_has_it : forall s r v, has s v = true -> has r v = true -> has (shared s r) v = true.
Proof.
  induction s as [| | s0 again0 s1 again1]; intros [| | r0 r1] [| b v] here there; cbn [shared]; try discriminate; auto.
  apply node_has_both. destruct b; cbn in *; auto.
Qed.

(** * A program that makes all moves *)

(** What a jump asks of a hole, [Some] of what it has to have and then loses, and [None] where it does not matter. *)
Definition pattern := list (option bool).

(** What becomes of a view; [None] where the jump is not possible. *)
Fixpoint changed (needs : pattern) (v : view) : option view :=
  match needs, v with
  | [], _ => Some v
  | _ :: _, [] => None
  | None :: needs, b :: v => option_map (cons b) (changed needs v)
  | Some need :: needs, b :: v => if eqb b need then option_map (cons (negb b)) (changed needs v) else None
  end.

(** The same for all positions of a set at once. What lies behind the last hole of the pattern is shared, not copied. *)
Fixpoint all_changed (needs : pattern) (s : set) : set :=
  match s, needs with
  | Empty, _ | Full, _ | _, [] => s
  | Node s0 s1, None :: needs => node (all_changed needs s0) (all_changed needs s1)
  | Node _ s1, Some true :: needs => node (all_changed needs s1) Empty
  | Node s0 _, Some false :: needs => node Empty (all_changed needs s0)
  end.

Record hop := { asks : pattern; landing : N }.

Fixpoint trim (needs : pattern) : pattern :=
  match needs with
  | [] => []
  | need :: others => match need, trim others with None, [] => [] | _, short => need :: short end
  end.

Definition pattern_of (l : N * N * N) (before : bool) : pattern :=
  match l with (a, b, c) =>
    trim (map (fun hole => if (hole =? a) || (hole =? b) then Some before
                           else if hole =? c then Some (negb before) else None) all_holes)
  end.

(** A jump as it is made, and as it is taken back: then the peg goes from [to] to [from]. *)
Definition first_of (l : N * N * N) : N := match l with (a, _, _) => a end.
Definition last_of (l : N * N * N) : N := match l with (_, _, c) => c end.
Definition forward (l : N * N * N) : hop := {| asks := pattern_of l true; landing := last_of l |}.
Definition backward (l : N * N * N) : hop := {| asks := pattern_of l false; landing := first_of l |}.

(** For each hole the hops of a peg there. *)
Definition table := list (list hop).
Definition make_table (leaves : N * N * N -> N) (make : N * N * N -> hop) : table :=
  map (fun hole => map make (filter (fun l => leaves l =? hole) lines)) all_holes.
Definition playing : table := Eval vm_compute in make_table first_of forward.
Definition taking_back : table := Eval vm_compute in make_table last_of backward.
Definition hops (t : table) (hole : N) : list hop := nth (N.to_nat hole) t [].

(** The results of all chains of hops of the peg in a hole, for all positions of a set, and of them those to keep. *)
Fixpoint chains (t : table) (keep : set -> set) (fuel : nat) (s : set) (hole : N) : set :=
  match s, fuel with
  | Empty, _ => Empty
  | _, O => Full
  | _, S less =>
      fold_right
        (fun h rest =>
           let after := all_changed (asks h) s in
           union (union (keep after) (chains t keep less after (landing h))) rest)
        Empty (hops t hole)
  end.

Definition fuel : nat := 40.

(** The set one move later. *)
Definition step (t : table) (keep : set -> set) (s : set) : set :=
  fold_right (fun hole rest => union (chains t keep fuel s hole) rest) Empty all_holes.

Definition all (s : set) : set := s.

(** True where a move leads from a set ahead into one behind, or into one from which up to [high] moves lead into it. *)
Fixpoint met (back : (set -> set) -> set -> set) (high : nat) (behind ahead : set) : bool :=
  match back (shared ahead) behind, high with
  | Empty, O => false
  | Empty, S less => met back less (back all behind) ahead
  | _, _ => true
  end.

(** True where the goal is in a set or one of the [deep] sets after it, or up to [high + 1] moves lead from the last one
    to it. One set ahead, and one behind, are kept at a time. *)
Fixpoint reached (forth back : (set -> set) -> set -> set) (deep high : nat) (final : view) (ahead : set) : bool :=
  if has ahead final then true else
  match deep with
  | O => met back high (alone final) ahead
  | S less => reached forth back less high final (forth all ahead)
  end.

(** * What the program makes is all that can be played *)

Lemma lines_are_of_three_holes : forall a b c, In (a, b, c) lines -> a <> b /\ b <> c /\ a <> c.
Proof.
  assert (forallb (fun l => match l with (a, b, c) => negb (a =? b) && negb (b =? c) && negb (a =? c) end) lines = true)
    as all by (vm_compute; reflexivity).
  intros a b c here. rewrite forallb_forall in all. specialize (all _ here). cbn in all.
  rewrite !andb_true_iff, !negb_true_iff, !N.eqb_neq in all. tauto.
Qed.

Lemma trim_changes_nothing : forall needs v w, changed needs v = Some w -> changed (trim needs) v = Some w.
Proof.
  induction needs as [| need needs again]; intros v w made; [ exact made | ].
  destruct v as [| b v]; [ destruct need; discriminate | ].
  assert (forall w, changed needs v = Some w ->
    changed (need :: trim needs) (b :: v) = changed (need :: needs) (b :: v)) as longer
    by (intros w' rest; cbn [changed]; rewrite rest, (again _ _ rest); reflexivity).
  destruct (changed needs v) as [w' |] eqn:rest.
  - specialize (longer _ eq_refl). rewrite made in longer. cbn [trim].
    destruct need as [need |], (trim needs) as [| one more]; exact longer.
  - cbn [changed] in made. rewrite rest in made. destruct need as [need |]; [ destruct (eqb b need) | ]; discriminate.
Qed.

Lemma all_changed_has_all : forall needs s v w,
  changed needs v = Some w -> has s v = true -> has (all_changed needs s) w = true.
Proof.
  induction needs as [| need needs again]; intros [| | s0 s1] v w made here; try discriminate.
  1-3: try (injection made as <-; exact here); reflexivity.
  destruct v as [| b v]; [ destruct need; discriminate | ]. cbn [changed] in made.
  destruct need as [[] |]; cbn [all_changed]; apply node_has_both; destruct b; cbn [eqb] in made; try discriminate;
    destruct (changed needs v) as [w' |] eqn:rest; try discriminate; injection made as <-; cbn in *; eauto.
Qed.

Lemma a_jump_changes_the_view : forall p a b c q, jump p a b c q ->
  changed (pattern_of (a, b, c) true) (view_of p) = Some (view_of q) /\
  changed (pattern_of (a, b, c) false) (view_of q) = Some (view_of p).
Proof.
  intros p a b c q [here [pa [pb [pc became]]]]. destruct (lines_are_of_three_holes _ _ _ here) as [ab [bc ac]].
  split; apply trim_changes_nothing; unfold view_of; generalize all_holes; induction l as [| hole others again];
    try reflexivity; cbn [map changed]; rewrite again, (became hole);
    destruct (N.eqb_spec hole a); destruct (N.eqb_spec hole b); destruct (N.eqb_spec hole c); subst; try congruence;
    cbn; rewrite ?pa, ?pb, ?pc; reflexivity.
Qed.

Lemma in_table : forall leaves make l, In l lines -> In (leaves l) all_holes ->
  In (make l) (hops (make_table leaves make) (leaves l)).
Proof.
  intros leaves make l here within. unfold hops, make_table.
  change all_holes with (map N.of_nat (seq 0 37)) in within |- *. apply in_map_iff in within.
  destruct within as [i [is low]]. apply in_seq in low. rewrite map_map, <- is, Nat2N.id.
  rewrite (nth_indep _ [] (map make (filter (fun l => leaves l =? N.of_nat 0) lines)))
    by (rewrite map_length, seq_length; lia).
  rewrite (map_nth (fun i => map make (filter (fun l => leaves l =? N.of_nat i) lines)) (seq 0 37) 0%nat i).
  rewrite seq_nth by lia. apply in_map, filter_In. split; [ exact here | apply N.eqb_eq; cbn; congruence ].
Qed.

Lemma ends_are_holes : forall l, In l lines -> In (first_of l) all_holes /\ In (last_of l) all_holes.
Proof.
  assert (forallb (fun l => existsb (N.eqb (first_of l)) all_holes && existsb (N.eqb (last_of l)) all_holes) lines
    = true) as all by (vm_compute; reflexivity).
  intros l here. rewrite forallb_forall in all. specialize (all l here).
  rewrite andb_true_iff, !existsb_exists in all. destruct all as [[x [inx ex]] [y [iny ey]]].
  apply N.eqb_eq in ex, ey. now subst.
Qed.

(** Chains of hops of a table, from view to view. *)
Definition hopped (t : table) (v : view) (hole : N) (w : view) (stop : N) : Prop :=
  exists h, In h (hops t hole) /\ changed (asks h) v = Some w /\ stop = landing h.

Inductive chain (t : table) : view -> N -> view -> N -> Prop :=
| one_hop : forall v a w c, hopped t v a w c -> chain t v a w c
| more_hops : forall v a w b u c, hopped t v a w b -> chain t w b u c -> chain t v a u c.

Lemma one_more_hop : forall t v a w b, chain t v a w b -> forall u c, hopped t w b u c -> chain t v a u c.
Proof.
  induction 1; intros; [ eapply more_hops; [ eassumption | now apply one_hop ] | ].
  eapply more_hops; [ eassumption | auto ].
Qed.

Lemma jumps_are_chains : forall p a q c, jumps p a q c -> chain playing (view_of p) a (view_of q) c.
Proof.
  assert (forall p a b c q, jump p a b c q -> hopped playing (view_of p) a (view_of q) c) as one.
  { intros p a b c q made. exists (forward (a, b, c)). repeat split; [ | apply a_jump_changes_the_view, made ].
    apply (in_table first_of forward (a, b, c)); [ | apply (ends_are_holes (a, b, c)) ]; apply made. }
  induction 1; [ eapply one_hop, one; eassumption | ].
  eapply more_hops; [ eapply one; eassumption | assumption ].
Qed.

Lemma jumps_are_chains_taken_back : forall p a q c, jumps p a q c -> chain taking_back (view_of q) c (view_of p) a.
Proof.
  assert (forall p a b c q, jump p a b c q -> hopped taking_back (view_of q) c (view_of p) a) as one.
  { intros p a b c q made. exists (backward (a, b, c)). repeat split; [ | apply (a_jump_changes_the_view p), made ].
    apply (in_table last_of backward (a, b, c)); [ | apply (ends_are_holes (a, b, c)) ]; apply made. }
  induction 1; [ eapply one_hop, one; eassumption | ].
  eapply one_more_hop; [ eassumption | eapply one; eassumption ].
Qed.

(** A union over a list has what the sets of its members have. *)
Lemma fold_has_each : forall (A : Type) (f : A -> set) some x v,
  In x some -> has (f x) v = true -> has (fold_right (fun x rest => union (f x) rest) Empty some) v = true.
Proof.
  induction some as [| y some again]; intros x v here there; [ destruct here | ].
  cbn [fold_right]. apply union_has_both. destruct here as [-> | here]; eauto.
Qed.

Lemma chains_has_all : forall t v a w c, chain t v a w c ->
  forall keep, (forall s, has s w = true -> has (keep s) w = true) ->
  forall fuel s, has s v = true -> has (chains t keep fuel s a) w = true.
Proof.
  induction 1 as [v a w c [h [here [made ->]]] | v a w b u c [h [here [made ->]]] rest again];
    intros keep kept [| less] s there; destruct s as [| | s0 s1] eqn:is; try discriminate there; try reflexivity;
    rewrite <- is in *;
    apply (all_changed_has_all _ _ _ _ made) in there;
    (replace (chains t keep (S less) s a) with
      (fold_right
        (fun h rest =>
           let after := all_changed (asks h) s in
           union (union (keep after) (chains t keep less after (landing h))) rest)
        Empty (hops t a)) by (rewrite is; reflexivity));
    eapply fold_has_each; try exact here; apply union_has_both; auto.
Qed.

Lemma hops_are_of_holes : forall t h a, length t = 37%nat -> In h (hops t a) -> In a all_holes.
Proof.
  intros t h a long here. assert (N.to_nat a < 37)%nat as low.
  { destruct (le_lt_dec 37 (N.to_nat a)) as [high | low]; [ | exact low ].
    unfold hops in here. rewrite nth_overflow in here by lia. destruct here. }
  change all_holes with (map N.of_nat (seq 0 37)). apply in_map_iff. exists (N.to_nat a).
  rewrite N2Nat.id. split; [ reflexivity | apply in_seq; lia ].
Qed.

Lemma step_has_all : forall t keep s v a w c, length t = 37%nat ->
  (forall s, has s w = true -> has (keep s) w = true) ->
  has s v = true -> chain t v a w c -> has (step t keep s) w = true.
Proof.
  intros t keep s v a w c long kept here moved. unfold step. apply (fold_has_each _ (chains t keep fuel s) _ a).
  - destruct moved as [v a w c [h [in_hops _]] | v a w b u c [h [in_hops _]] _]; eapply hops_are_of_holes; eassumption.
  - eapply chains_has_all; eassumption.
Qed.

Lemma game_has_a_last_move : forall n p r, game (S n) p r -> exists q, game n p q /\ move q r.
Proof.
  induction n as [| n again]; intros p r played; inversion played as [| n' p' q r' moved on]; subst.
  - inversion on; subst. exists p. split; [ constructor | exact moved ].
  - destruct (again _ _ on) as [m [before last]]. exists m. split; [ eapply first_move; eassumption | exact last ].
Qed.

(** * No shorter game *)

Section Search.
  Variables forth back : (set -> set) -> set -> set.
  Hypothesis forth_has_all : forall s p q, has s (view_of p) = true -> move p q -> has (forth all s) (view_of q) = true.
  Hypothesis back_has_all : forall keep s p q,
    (forall s, has s (view_of p) = true -> has (keep s) (view_of p) = true) ->
    has s (view_of q) = true -> move p q -> has (back keep s) (view_of p) = true.

  Lemma a_game_between_is_met : forall high behind ahead n p q, (n <= high)%nat -> game (S n) p q ->
    has behind (view_of q) = true -> has ahead (view_of p) = true -> met back high behind ahead = true.
  Proof.
    induction high as [| high again]; intros behind ahead n p q few played there here; cbn [met];
      destruct (back (shared ahead) behind) eqn:none; try reflexivity;
      destruct (game_has_a_last_move _ _ _ played) as [m [before last]]; destruct n as [| n]; try lia.
    1, 2: inversion before; subst; pose proof (back_has_all (shared ahead) behind m q) as some; rewrite none in some;
      discriminate some; auto using shared_has_it.
    eapply again; [ | exact before | | exact here ]; [ lia | ]. apply (back_has_all all behind m q); auto.
  Qed.

  Lemma a_game_is_found : forall deep high ahead n p q, (n <= deep + S high)%nat -> game n p q ->
    has ahead (view_of p) = true -> reached forth back deep high (view_of q) ahead = true.
  Proof.
    induction deep as [| deep again]; intros high ahead n p q few played here; cbn [reached];
      destruct (has ahead (view_of q)) eqn:none; try reflexivity;
      (destruct n as [| n]; [ inversion played; congruence | ]).
    - eapply a_game_between_is_met; [ | exact played | apply alone_has_it | exact here ]. lia.
    - inversion played as [| n' p' m q' moved on]; subst. eapply again; [ | exact on | eauto ]. lia.
  Qed.
End Search.

Theorem no_shorter_game : forall deep high,
  reached (step playing) (step taking_back) deep high (view_of goal) (alone (view_of start)) = false ->
  forall n, game n start goal -> (deep + high + 2 <= n)%nat.
Proof.
  intros deep high none n played.
  destruct (le_lt_dec (deep + high + 2) n) as [enough | few]; [ exact enough | exfalso ].
  apply not_true_iff_false in none. apply none. apply (a_game_is_found _ _) with n start.
  - intros s p q here [a [c moved]].
    eapply step_has_all; [ reflexivity | auto | exact here | apply jumps_are_chains, moved ].
  - intros keep s p q kept here [a [c moved]].
    eapply step_has_all; [ reflexivity | exact kept | exact here | apply jumps_are_chains_taken_back, moved ].
  - lia.
  - exact played.
  - apply alone_has_it.
Qed.

(** A game that is written down, each move as the holes in which its peg stands, numbered from 1. *)
Definition possible (p : position) (from to : N) (l : N * N * N) : bool :=
  match l with (a, b, c) => (a =? from) && (c =? to) && peg p a && peg p b && negb (peg p c) end.

Definition after (p : position) (l : N * N * N) : position :=
  match l with (a, b, c) => N.lxor p (N.lxor (2 ^ a) (N.lxor (2 ^ b) (2 ^ c))) end.

Fixpoint play_on (p : position) (from : N) (stops : list N) : option position :=
  match stops with
  | [] => Some p
  | stop :: others =>
      match find (possible p from (stop - 1)) lines with
      | Some l => play_on (after p l) (stop - 1) others
      | None => None
      end
  end.

Fixpoint play (p : position) (moves : list (N * list N)) : option position :=
  match moves with
  | [] => Some p
  | (_, []) :: _ => None
  | (from, stops) :: others =>
      match play_on p (from - 1) stops with Some q => play q others | None => None end
  end.

Lemma a_possible_jump : forall p a b c, In (a, b, c) lines ->
  peg p a = true -> peg p b = true -> peg p c = false -> jump p a b c (after p (a, b, c)).
Proof.
  intros p a b c here pa pb pc. destruct (lines_are_of_three_holes _ _ _ here) as [ab [bc ac]].
  unfold jump. repeat split; try assumption. intros hole. unfold peg, after in *.
  rewrite !N.lxor_spec, !N.pow2_bits_eqb, (N.eqb_sym hole a), (N.eqb_sym hole b), (N.eqb_sym hole c).
  destruct (N.eqb_spec a hole); destruct (N.eqb_spec b hole); destruct (N.eqb_spec c hole); subst; try congruence;
    cbn; destruct (N.testbit p hole); reflexivity.
Qed.

Lemma play_on_is_jumps : forall stops p from q, stops <> [] ->
  play_on p from stops = Some q -> exists to, jumps p from q to.
Proof.
  induction stops as [| stop others again]; intros p from q some played; [ congruence | ].
  cbn [play_on] in played. destruct (find _ lines) as [[[a b] c] |] eqn:found; [ | discriminate ].
  apply find_some in found. destruct found as [here may]. unfold possible in may.
  rewrite !andb_true_iff, !N.eqb_eq, negb_true_iff in may. destruct may as [[[[-> lands] pa] pb] pc].
  pose proof (a_possible_jump p from b c here pa pb pc) as made. destruct others as [| next more].
  - injection played as <-. exists c. eapply one_jump, made.
  - rewrite <- lands in played. assert (next :: more <> []) as left by discriminate.
    destruct (again _ _ _ left played) as [to on].
    exists to. eapply more_jumps; eassumption.
Qed.

Lemma play_is_a_game : forall moves p q, play p moves = Some q -> game (length moves) p q.
Proof.
  induction moves as [| [from stops] others again]; intros p q played; cbn [play length] in *.
  - injection played as <-. constructor.
  - destruct stops as [| stop more]; [ discriminate | ].
    destruct (play_on p (from - 1) (stop :: more)) as [m |] eqn:moved; [ | discriminate ].
    assert (stop :: more <> []) as some by discriminate.
    destruct (play_on_is_jumps _ _ _ _ some moved) as [to made].
    eapply first_move; [ exists (from - 1), to; exact made | auto ].
Qed.

(** * The theorem *)

(** The solution of Zhu Fangfu, 1989. *)
Definition zhu : list (N * list N) :=
  [(32, [19]); (12, [26]); (10, [12]); (6, [19; 32]); (14, [12]); (24, [26]); (32, [19]);
   (28, [26]); (1, [11; 25; 27; 13; 11]); (3, [1]); (22, [20]); (37, [27; 13; 3]);
   (35, [37]); (16, [18]); (11, [25; 35])].

Theorem last_supper_15 : game 15 start goal /\ forall n, game n start goal -> (15 <= n)%nat.
Proof.
  split.
  - apply (play_is_a_game zhu). vm_compute. reflexivity.
  - intros n. apply (no_shorter_game 8 5). vm_cast_no_check (eq_refl false).
Qed.

Print Assumptions last_supper_15.
