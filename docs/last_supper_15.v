(** The Last Supper needs 15 moves: a proof that Coq checks.

    Peg solitaire on 37 holes. A peg jumps over a neighbour, in a row or a column, into the empty hole behind it; the
    peg jumped over is taken off. A move is one or more jumps in a row by one peg. At the start all holes but the
    central one are full; at the end there are pegs in the centre and in the twelve corners, and nowhere else.

    [last_supper_15]: there is a game of 15 moves, and no game has fewer. Nothing is assumed, neither symmetries nor
    bounds: all positions after up to 8 moves, and all from which up to 5 moves lead to the goal, are made by a program
    that is proved here, and no move joins them. What has to be read to trust the statement is the part "The game". *)

From Coq Require Import SetoidList Arith Bool List Lia NArith PArith MSetPositive.
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

(** * A program that makes all moves *)

Record hop := { mask : N; need : N; landing : N }.

Definition bit (hole : N) : N := 2 ^ hole.
Definition three (a b c : N) : N := N.lxor (bit a) (N.lxor (bit b) (bit c)).

(** A jump as it is made, and as it is taken back: then the peg goes from [to] to [from]. *)
Definition forward (l : N * N * N) : hop :=
  match l with (a, b, c) => {| mask := three a b c; need := N.lxor (bit a) (bit b); landing := c |} end.
Definition backward (l : N * N * N) : hop :=
  match l with (a, b, c) => {| mask := three a b c; need := bit c; landing := a |} end.

(** For each hole the hops of a peg there. *)
Definition first_of (l : N * N * N) : N := match l with (a, _, _) => a end.
Definition last_of (l : N * N * N) : N := match l with (_, _, c) => c end.
Definition table := list (list hop).
Definition make_table (leaves : N * N * N -> N) (make : N * N * N -> hop) : table :=
  map (fun hole => map make (filter (fun l => leaves l =? N.of_nat hole) lines)) (seq 0 37).
Definition playing : table := Eval vm_compute in make_table first_of forward.
Definition taking_back : table := Eval vm_compute in make_table last_of backward.

Definition possible (p : position) (h : hop) : bool := N.land p (mask h) =? need h.
Definition after (p : position) (h : hop) : position := N.lxor p (mask h).
Definition hops (t : table) (hole : N) : list hop := nth (N.to_nat hole) t [].

(** What a hop adds to the results that were found: its own, and those of the hops that follow it. *)
Definition add_hop
    (on : position -> N -> option (list position)) (p : position) (h : hop) (rest : option (list position)) :=
  match rest with
  | None => None
  | Some found =>
      if possible p h then
        match on (after p h) (landing h) with
        | None => None
        | Some further => Some (after p h :: further ++ found)
        end
      else Some found
  end.

(** The results of all chains of the peg in a hole; [None] where a chain is longer than the fuel. *)
Fixpoint chains (t : table) (fuel : nat) (p : position) (hole : N) : option (list position) :=
  match fuel with
  | O => None
  | S less => fold_right (add_hop (chains t less) p) (Some []) (hops t hole)
  end.

Definition fuel : nat := 40.
Definition all_holes : list N := Eval vm_compute in map N.of_nat (seq 0 37).

Definition results (t : table) (p : position) : option (list position) :=
  fold_right
    (fun hole rest =>
       match rest, chains t fuel p hole with
       | Some found, Some more => Some (more ++ found)
       | _, _ => None
       end)
    (Some []) all_holes.

(** Sets of positions are those of Coq's library, of positive numbers: a position's successor stands for it. *)
Module Set_ := PositiveSet.
Definition key (p : position) : positive := N.succ_pos p.
Definition of_key (k : positive) : position := Pos.pred_N k.
Definition add_all (some : list position) (s : Set_.t) : Set_.t :=
  fold_left (fun s p => Set_.add (key p) s) some s.

(** What the results of one position add to a set. *)
Definition add_results (t : table) (k : positive) (rest : option Set_.t) : option Set_.t :=
  match rest, results t (of_key k) with
  | Some found, Some some => Some (add_all some found)
  | _, _ => None
  end.

(** The set one move later. *)
Definition step (t : table) (s : Set_.t) : option Set_.t := Set_.fold (add_results t) s (Some Set_.empty).

(** The sets after 0, 1, ..., n moves. *)
Fixpoint layers (t : table) (n : nat) (s : Set_.t) : option (list Set_.t) :=
  match n with
  | O => Some [s]
  | S less => match step t s with
              | Some after => match layers t less after with Some others => Some (s :: others) | None => None end
              | None => None
              end
  end.

(** True where no move from the first set leads into the second. *)
Definition avoids (t : table) (s other : Set_.t) : bool :=
  Set_.fold
    (fun k good =>
       good && match results t (of_key k) with
               | Some some => forallb (fun p => negb (Set_.mem (key p) other)) some
               | None => false
               end)
    s true.

(** True where the sets have nothing in common. *)
Definition apart (s other : Set_.t) : bool :=
  Set_.fold (fun k good => good && negb (Set_.mem k other)) s true.

(** * What the program makes is all that can be played *)

Lemma lines_are_of_three_holes : forall a b c, In (a, b, c) lines -> a <> b /\ b <> c /\ a <> c.
Proof.
  assert (forallb (fun l => match l with (a, b, c) => negb (a =? b) && negb (b =? c) && negb (a =? c) end) lines = true)
    as all by (vm_compute; reflexivity).
  intros a b c here. rewrite forallb_forall in all. specialize (all _ here). cbn in all.
  rewrite !andb_true_iff, !negb_true_iff, !N.eqb_neq in all. tauto.
Qed.

Definition same_hop (g h : hop) : bool := (mask g =? mask h) && (need g =? need h) && (landing g =? landing h).

Lemma same_hop_is_equal : forall g h, same_hop g h = true -> g = h.
Proof.
  intros [m n l] [m' n' l'] same. unfold same_hop in same. cbn in same.
  rewrite !andb_true_iff, !N.eqb_eq in same. destruct same as [[-> ->] ->]. reflexivity.
Qed.

Lemma in_table : forall (t : table) leaves make,
  forallb (fun l => existsb (same_hop (make l)) (hops t (leaves l))) lines = true ->
  forall l, In l lines -> In (make l) (hops t (leaves l)).
Proof.
  intros t leaves make all l here. rewrite forallb_forall in all. specialize (all l here).
  rewrite existsb_exists in all. destruct all as [h [within same]]. apply same_hop_is_equal in same.
  subst h. exact within.
Qed.

Lemma every_line_is_played : forall l, In l lines -> In (forward l) (hops playing (first_of l)).
Proof. apply in_table. vm_compute. reflexivity. Qed.

Lemma every_line_is_taken_back : forall l, In l lines -> In (backward l) (hops taking_back (last_of l)).
Proof. apply in_table. vm_compute. reflexivity. Qed.

Lemma bits_of_three : forall a b c i, N.testbit (three a b c) i = xorb (a =? i) (xorb (b =? i) (c =? i)).
Proof. intros. unfold three, bit. now rewrite !N.lxor_spec, !N.pow2_bits_eqb. Qed.

Ltac holes_apart a b c i :=
  destruct (N.eqb_spec a i); destruct (N.eqb_spec b i); destruct (N.eqb_spec c i); subst; try congruence.

Lemma after_is_the_result : forall p a b c q,
  jump p a b c q -> N.lxor p (three a b c) = q.
Proof.
  intros p a b c q [here [pa [pb [pc changed]]]]. destruct (lines_are_of_three_holes _ _ _ here) as [ab [bc ac]].
  apply N.bits_inj. intros i. rewrite N.lxor_spec, bits_of_three. unfold peg in changed. rewrite changed.
  rewrite (N.eqb_sym i a), (N.eqb_sym i b), (N.eqb_sym i c).
  holes_apart a b c i; cbn; destruct (N.testbit p _); reflexivity.
Qed.

Lemma a_jump_is_possible : forall p a b c q, jump p a b c q -> possible p (forward (a, b, c)) = true.
Proof.
  intros p a b c q [here [pa [pb [pc changed]]]]. destruct (lines_are_of_three_holes _ _ _ here) as [ab [bc ac]].
  unfold peg in *. unfold possible. apply N.eqb_eq. apply N.bits_inj. intros i. cbn [forward mask need].
  rewrite N.land_spec, bits_of_three. unfold bit. rewrite N.lxor_spec, !N.pow2_bits_eqb.
  holes_apart a b c i; cbn; rewrite ?pa, ?pb, ?pc; try reflexivity; apply andb_false_r.
Qed.

Lemma a_jump_can_be_taken_back : forall p a b c q, jump p a b c q -> possible q (backward (a, b, c)) = true.
Proof.
  intros p a b c q [here [pa [pb [pc changed]]]]. destruct (lines_are_of_three_holes _ _ _ here) as [ab [bc ac]].
  unfold peg in *. unfold possible. apply N.eqb_eq. apply N.bits_inj. intros i. cbn [backward mask need].
  rewrite N.land_spec, bits_of_three, changed. unfold bit. rewrite !N.pow2_bits_eqb.
  rewrite (N.eqb_sym i a), (N.eqb_sym i b), (N.eqb_sym i c).
  holes_apart a b c i; cbn; rewrite ?pa, ?pb, ?pc; try reflexivity; apply andb_false_r.
Qed.

(** Chains of hops of a table. *)
Definition hopped (t : table) (p : position) (hole : N) (q : position) (stop : N) : Prop :=
  exists h, In h (hops t hole) /\ possible p h = true /\ q = after p h /\ stop = landing h.

Inductive chain (t : table) : position -> N -> position -> N -> Prop :=
| one_hop : forall p a q c, hopped t p a q c -> chain t p a q c
| more_hops : forall p a q b r c, hopped t p a q b -> chain t q b r c -> chain t p a r c.

Lemma one_more_hop : forall t p a q b, chain t p a q b -> forall r c, hopped t q b r c -> chain t p a r c.
Proof.
  induction 1; intros; [ eapply more_hops; [ eassumption | now apply one_hop ] | ].
  eapply more_hops; [ eassumption | auto ].
Qed.

Lemma jumps_are_chains : forall p a q c, jumps p a q c -> chain playing p a q c.
Proof.
  assert (forall p a b c q, jump p a b c q -> hopped playing p a q c) as one.
  { intros p a b c q made. exists (forward (a, b, c)). repeat split.
    - apply (every_line_is_played (a, b, c)), made.
    - eapply a_jump_is_possible, made.
    - symmetry. apply after_is_the_result, made. }
  induction 1; [ eapply one_hop, one; eassumption | ].
  eapply more_hops; [ eapply one; eassumption | assumption ].
Qed.

Lemma jumps_are_chains_taken_back : forall p a q c, jumps p a q c -> chain taking_back q c p a.
Proof.
  assert (forall p a b c q, jump p a b c q -> hopped taking_back q c p a) as one.
  { intros p a b c q made. exists (backward (a, b, c)). repeat split.
    - apply (every_line_is_taken_back (a, b, c)), made.
    - eapply a_jump_can_be_taken_back, made.
    - unfold after. cbn [backward mask]. rewrite <- (after_is_the_result _ _ _ _ _ made).
      now rewrite N.lxor_assoc, N.lxor_nilpotent, N.lxor_0_r. }
  induction 1; [ eapply one_hop, one; eassumption | ].
  eapply one_more_hop; [ eassumption | eapply one; eassumption ].
Qed.

Lemma chains_has_all : forall t p a q c, chain t p a q c ->
  forall fuel some, chains t fuel p a = Some some -> In q some.
Proof.
  intros t.
  assert (forall less p (hs : list hop) some,
    fold_right (add_hop (chains t less) p) (Some []) hs = Some some ->
    forall h, In h hs -> possible p h = true ->
      exists further, chains t less (after p h) (landing h) = Some further /\
        forall r, r = after p h \/ In r further -> In r some) as each.
  { intros less p hs. induction hs as [| g hs others]; intros some made h here may; [ destruct here | ].
    cbn [fold_right] in made. destruct (fold_right _ _ hs) as [found |] eqn:rest; [ | discriminate ].
    unfold add_hop in made. destruct here as [-> | here].
    - rewrite may in made. destruct (chains t less (after p h) (landing h)) as [further |] eqn:on; [ | discriminate ].
      injection made as <-. exists further. split; [ reflexivity | ].
      intros r [-> | within]; [ now left | right; apply in_or_app; now left ].
    - destruct (others found eq_refl h here may) as [further [on all]]. exists further. split; [ exact on | ].
      intros r which. specialize (all r which).
      destruct (possible p g); [ | now injection made as <- ].
      destruct (chains t less (after p g) (landing g)); [ | discriminate ].
      injection made as <-. right. apply in_or_app. now right. }
  induction 1 as [p a q c [h [here [may [-> ->]]]] | p a q b r c [h [here [may [-> ->]]]] rest again];
    intros [| less] some made; try discriminate; cbn [chains] in made;
    destruct (each less p _ some made h here may) as [further [on all]]; apply all.
  - now left.
  - right. eapply again, on.
Qed.

Lemma hops_are_of_holes : forall t h a, length t = 37%nat -> In h (hops t a) -> In a all_holes.
Proof.
  intros t h a long here. assert (N.to_nat a < 37)%nat as low.
  { destruct (le_lt_dec 37 (N.to_nat a)) as [high | low]; [ | exact low ].
    unfold hops in here. rewrite nth_overflow in here by lia. destruct here. }
  change all_holes with (map N.of_nat (seq 0 37)). apply in_map_iff. exists (N.to_nat a).
  rewrite N2Nat.id. split; [ reflexivity | apply in_seq; lia ].
Qed.

Lemma results_has_all : forall t p a q c some, length t = 37%nat ->
  chain t p a q c -> results t p = Some some -> In q some.
Proof.
  intros t p a q c some long moved made.
  assert (In a all_holes) as within by
    (destruct moved as [p a q c [h [here _]] | p a q b r c [h [here _]] _]; eapply hops_are_of_holes; eassumption).
  unfold results in made. revert some made within. generalize all_holes as hs.
  induction hs as [| hole hs others]; intros some made within; [ destruct within | ].
  cbn [fold_right] in made. destruct (fold_right _ _ hs) as [found |] eqn:rest; [ | discriminate ].
  destruct (chains t fuel p hole) as [more |] eqn:here; [ | discriminate ]. injection made as <-.
  apply in_or_app. destruct within as [-> | within].
  - left. eapply chains_has_all; eassumption.
  - right. eauto.
Qed.

Lemma key_comes_back : forall p, of_key (key p) = p.
Proof. apply N.pos_pred_succ. Qed.

(** A fold over a set reaches every member of it. *)
Lemma fold_is_over_members : forall (A : Type) (f : positive -> A -> A) s start,
  exists members, Set_.fold f s start = fold_left (fun a k => f k a) members start /\
    forall k, Set_.In k s <-> In k members.
Proof.
  intros. exists (Set_.elements s). split; [ apply Set_.fold_spec | ].
  intros k. rewrite <- Set_.elements_spec1, InA_alt. split.
  - intros [k' [-> here]]. exact here.
  - intros here. now exists k.
Qed.

Lemma add_all_has_all : forall some s k, Set_.In k s \/ In k (map key some) -> Set_.In k (add_all some s).
Proof.
  induction some as [| p some others]; intros s k which; cbn in *; [ tauto | ].
  apply others. destruct which as [before | [<- | later]]; [ left | left | now right ]; apply Set_.add_spec; auto.
Qed.

Lemma step_has_all : forall t s s' p a q c, length t = 37%nat ->
  step t s = Some s' -> Set_.In (key p) s -> chain t p a q c -> Set_.In (key q) s'.
Proof.
  intros t s s' p a q c long made here moved. unfold step in made.
  match type of made with Set_.fold ?f s ?i = _ =>
    destruct (fold_is_over_members _ f s i) as [members [as_list all]]
  end.
  rewrite as_list in made. rewrite all in here. clear as_list all.
  revert made here. generalize Set_.empty as sum.
  assert (forall members s', fold_left (fun rest k => add_results t k rest) members None = Some s' -> False) as never.
  { clear. intros members. induction members; intros s' made; cbn [fold_left add_results] in made;
      [ discriminate | eauto ]. }
  assert (forall members found s', fold_left (fun rest k => add_results t k rest) members (Some found) = Some s' ->
    forall k, Set_.In k found -> Set_.In k s') as kept.
  { clear members s'. intros members.
    induction members as [| m members others]; intros found s' made k here; cbn [fold_left add_results] in made.
    - injection made as <-. exact here.
    - destruct (results t (of_key m)); [ | exfalso; eapply never; exact made ].
      eapply others; [ eassumption | ]. apply add_all_has_all. now left. }
  induction members as [| m members others]; intros found made here; [ destruct here | ].
  cbn [fold_left add_results] in made.
  destruct (results t (of_key m)) as [some |] eqn:from; [ | exfalso; eapply never; exact made ].
  destruct here as [-> | here]; [ | eapply others; eassumption ].
  eapply kept; [ eassumption | ]. apply add_all_has_all. right. apply in_map.
  rewrite key_comes_back in from. eapply results_has_all; eassumption.
Qed.

Lemma ahead_has_all : forall n s sets, layers playing n s = Some sets ->
  forall i p q, (i <= n)%nat -> Set_.In (key p) s -> game i p q -> Set_.In (key q) (nth i sets Set_.empty).
Proof.
  induction n as [| n again]; intros s sets made i p q low here played; cbn [layers] in made.
  - injection made as <-. assert (i = 0%nat) by lia. subst i. inversion played; subst. exact here.
  - destruct (step playing s) as [next |] eqn:one; [ | discriminate ].
    destruct (layers playing n next) as [others |] eqn:rest; [ | discriminate ]. injection made as <-.
    inversion played as [| i' p' m q' [a [c moved]] on]; subst; [ exact here | ]. cbn [nth].
    eapply again; [ exact rest | lia | | exact on ].
    eapply step_has_all; [ | exact one | exact here | apply jumps_are_chains, moved ]. reflexivity.
Qed.

Lemma game_has_a_middle : forall i j p r, game (i + j) p r -> exists q, game i p q /\ game j q r.
Proof.
  induction i as [| i again]; intros j p r played; [ exists p; split; [ constructor | exact played ] | ].
  inversion played as [| n p' m r' moved on]; subst. destruct (again _ _ _ on) as [q [before later]].
  exists q. split; [ eapply first_move; eassumption | exact later ].
Qed.

Lemma behind_has_all : forall n s sets, layers taking_back n s = Some sets ->
  forall i p q, (i <= n)%nat -> Set_.In (key q) s -> game i p q -> Set_.In (key p) (nth i sets Set_.empty).
Proof.
  induction n as [| n again]; intros s sets made i p q low here played; cbn [layers] in made.
  - injection made as <-. assert (i = 0%nat) by lia. subst i. inversion played; subst. exact here.
  - destruct (step taking_back s) as [next |] eqn:one; [ | discriminate ].
    destruct (layers taking_back n next) as [others |] eqn:rest; [ | discriminate ]. injection made as <-.
    destruct i as [| i]; [ inversion played; subst; exact here | ]. cbn [nth].
    replace (S i) with (i + 1)%nat in played by lia. destruct (game_has_a_middle _ _ _ _ played) as [m [before final]].
    inversion final as [| n' m' q' r' [a [c moved]] on]; subst. inversion on; subst.
    eapply again; [ exact rest | lia | | exact before ].
    eapply step_has_all; [ | exact one | exact here | apply jumps_are_chains_taken_back, moved ]. reflexivity.
Qed.

Lemma good_was_good : forall (f : positive -> bool) members,
  fold_left (fun good k => good && f k) members true = true -> forall k, In k members -> f k = true.
Proof.
  intros f. assert (forall members, fold_left (fun good k => good && f k) members false = false) as never
    by (induction members; auto).
  induction members as [| m members others]; cbn; intros good k here; [ destruct here | ].
  destruct (f m) eqn:here_too; [ | now rewrite never in good ].
  destruct here as [<- | here]; auto.
Qed.

Lemma apart_is_apart : forall s other k, apart s other = true -> Set_.In k s -> Set_.In k other -> False.
Proof.
  intros s other k good here there. unfold apart in good.
  match type of good with Set_.fold ?f s ?i = _ =>
    destruct (fold_is_over_members _ f s i) as [members [as_list all]]
  end.
  rewrite as_list in good. apply all in here.
  pose proof (good_was_good (fun k => negb (Set_.mem k other)) members good k here) as not_there. cbn in not_there.
  unfold Set_.In in there. now rewrite there in not_there.
Qed.

Lemma avoids_is_apart : forall t s other p a q c, length t = 37%nat -> avoids t s other = true ->
  Set_.In (key p) s -> chain t p a q c -> Set_.In (key q) other -> False.
Proof.
  intros t s other p a q c long good here moved there. unfold avoids in good.
  match type of good with Set_.fold ?f s ?i = _ =>
    destruct (fold_is_over_members _ f s i) as [members [as_list all]]
  end.
  rewrite as_list in good. apply all in here.
  pose proof (good_was_good
    (fun k => match results t (of_key k) with
              | Some some => forallb (fun p => negb (Set_.mem (key p) other)) some
              | None => false
              end) members good (key p) here) as not_there.
  cbn beta in not_there. rewrite key_comes_back in not_there.
  destruct (results t p) as [some |] eqn:made; [ | discriminate ].
  rewrite forallb_forall in not_there. specialize (not_there q (results_has_all _ _ _ _ _ _ long moved made)).
  unfold Set_.In in there. now rewrite there in not_there.
Qed.

(** * No shorter game *)

Definition alone (p : position) : Set_.t := Set_.add (key p) Set_.empty.

Lemma alone_has_it : forall p, Set_.In (key p) (alone p).
Proof. intros. apply Set_.add_spec. now left. Qed.

(** The goal is in no layer up to the last one ahead, [deep] moves after the start; this has nothing in common with a
    layer behind, [high] moves or fewer before the goal; and no move leads from it into the last of those. *)
Definition nothing_joins (deep high : nat) : bool :=
  match layers playing deep (alone start), layers taking_back high (alone goal) with
  | Some ahead, Some behind =>
      let meeting := nth deep ahead Set_.empty in
      forallb (fun i => negb (Set_.mem (key goal) (nth i ahead Set_.empty))) (seq 0 (S deep)) &&
      forallb (fun i => apart (nth i behind Set_.empty) meeting) (seq 0 (S high)) &&
      avoids taking_back (nth high behind Set_.empty) meeting
  | _, _ => false
  end.

Theorem no_shorter_game : forall deep high, nothing_joins deep high = true ->
  forall n, game n start goal -> (deep + high + 2 <= n)%nat.
Proof.
  intros deep high good n played. unfold nothing_joins in good.
  destruct (layers playing deep (alone start)) as [ahead |] eqn:forth; [ | discriminate ].
  destruct (layers taking_back high (alone goal)) as [behind |] eqn:back; [ | discriminate ].
  rewrite !andb_true_iff, !forallb_forall in good. destruct good as [[no_goal meet] no_move_between].
  destruct (le_lt_dec (deep + high + 2) n) as [enough | few]; [ exact enough | exfalso ].
  destruct (le_lt_dec n deep) as [short | long].
  - pose proof (ahead_has_all _ _ _ forth n start goal short (alone_has_it _) played) as there.
    specialize (no_goal n). rewrite there in no_goal. discriminate no_goal. apply in_seq. lia.
  - replace n with (deep + (n - deep))%nat in played by lia.
    destruct (game_has_a_middle _ _ _ _ played) as [m [before later]].
    pose proof (ahead_has_all _ _ _ forth deep start m (le_n _) (alone_has_it _) before) as met.
    destruct (le_lt_dec (n - deep) high) as [near | far].
    + pose proof (behind_has_all _ _ _ back _ m goal near (alone_has_it _) later) as there.
      eapply apart_is_apart; [ apply (meet (n - deep)%nat), in_seq; lia | exact there | exact met ].
    + replace (n - deep)%nat with (S high) in later by lia.
      inversion later as [| n' m' b goal' [a [c moved]] on]; subst.
      pose proof (behind_has_all _ _ _ back high b goal (le_n _) (alone_has_it _) on) as there.
      eapply avoids_is_apart;
        [ | exact no_move_between | exact there | apply jumps_are_chains_taken_back, moved | exact met ]. reflexivity.
Qed.

(** A game that is written down, each move as the holes in which its peg stands, numbered from 1. *)
Fixpoint play_on (p : position) (hole : N) (stops : list N) : option position :=
  match stops with
  | [] => Some p
  | stop :: others =>
      match find (fun h => (landing h =? stop - 1) && possible p h) (hops playing hole) with
      | Some h => play_on (after p h) (stop - 1) others
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

Lemma hops_are_of_lines : forall a h, In h (hops playing a) ->
  exists b, In (a, b, landing h) lines /\ h = forward (a, b, landing h).
Proof.
  assert (forallb (fun a => forallb (fun h => existsb
      (fun l => match l with (a', _, c) => (a' =? a) && (c =? landing h) && same_hop h (forward l) end) lines)
      (hops playing a)) all_holes = true) as all by (vm_compute; reflexivity).
  intros a h here. rewrite forallb_forall in all.
  specialize (all a (hops_are_of_holes playing h a eq_refl here)). rewrite forallb_forall in all.
  specialize (all h here). rewrite existsb_exists in all. destruct all as [[[a' b] c] [within same]].
  rewrite !andb_true_iff, !N.eqb_eq in same. destruct same as [[-> ->] same]. exists b.
  split; [ exact within | now apply same_hop_is_equal ].
Qed.

Lemma a_possible_hop_is_a_jump : forall p a h, In h (hops playing a) -> possible p h = true ->
  exists over, jump p a over (landing h) (after p h).
Proof.
  intros p a h here may. destruct (hops_are_of_lines a h here) as [b [within is]]. exists b.
  destruct (lines_are_of_three_holes _ _ _ within) as [ab [bc ac]].
  unfold possible in may. rewrite N.eqb_eq in may. unfold after.
  rewrite is in may |- *. cbn [forward mask need landing] in *.
  assert (forall i, N.testbit p i && xorb (a =? i) (xorb (b =? i) (landing h =? i)) = xorb (a =? i) (b =? i)) as bits.
  { intros i. rewrite <- bits_of_three, <- N.land_spec, may. unfold bit. now rewrite N.lxor_spec, !N.pow2_bits_eqb. }
  unfold jump, peg. split; [ exact within | ].
  pose proof (bits a) as at_a. pose proof (bits b) as at_b. pose proof (bits (landing h)) as at_c.
  rewrite !N.eqb_refl in *.
  set (c := landing h) in *. clearbody c.
  assert ((a =? b) = false /\ (b =? a) = false /\ (a =? c) = false /\ (c =? a) = false /\ (b =? c) = false /\
    (c =? b) = false) as [e1 [e2 [e3 [e4 [e5 e6]]]]] by (repeat split; apply N.eqb_neq; auto using not_eq_sym).
  rewrite e2, e4 in at_a. rewrite e1, e6 in at_b. rewrite e3, e5 in at_c. cbn in at_a, at_b, at_c.
  rewrite andb_true_r in at_a. rewrite andb_true_r in at_b. rewrite andb_true_r in at_c.
  repeat split; try assumption. intros hole. rewrite N.lxor_spec, bits_of_three.
  rewrite (N.eqb_sym hole a), (N.eqb_sym hole b), (N.eqb_sym hole c).
  holes_apart a b c hole; cbn; destruct (N.testbit p hole); reflexivity.
Qed.

Lemma play_on_is_jumps : forall stops p hole q, stops <> [] ->
  play_on p hole stops = Some q -> exists to, jumps p hole q to.
Proof.
  induction stops as [| stop others again]; intros p hole q some played; [ congruence | ].
  cbn [play_on] in played. destruct (find _ (hops playing hole)) as [h |] eqn:found; [ | discriminate ].
  apply find_some in found. destruct found as [here may]. apply andb_true_iff in may. destruct may as [lands may].
  apply N.eqb_eq in lands. destruct (a_possible_hop_is_a_jump p hole h here may) as [over made].
  destruct others as [| next more].
  - injection played as <-. exists (landing h). eapply one_jump, made.
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
  - intros n. apply (no_shorter_game 8 5). vm_cast_no_check (eq_refl true).
Qed.

Print Assumptions last_supper_15.
